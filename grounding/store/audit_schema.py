"""Tables of the audit log, and the triggers that guard them.

The triggers are part of the file: every program that opens it meets them. Whoever drops them can
change rows; `check-store` misses the triggers, and the chain shows what was changed.
"""

from __future__ import annotations

GENESIS = "0" * 64
"""What the first event stands on."""

GUARDS = {
    "audit_events_no_update": """\
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'audit_events is only added to'); END""",
    "audit_events_no_delete": """\
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
    BEGIN SELECT RAISE(ABORT, 'audit_events is only added to'); END""",
    "audit_events_at_end": f"""\
CREATE TRIGGER audit_events_at_end BEFORE INSERT ON audit_events
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit_events)
      OR NEW.prev_hash IS NOT coalesce(
          (SELECT hash FROM audit_events ORDER BY seq DESC LIMIT 1), '{GENESIS}')
    BEGIN SELECT RAISE(ABORT, 'audit_events is only added to, at its end'); END""",
    "audit_details_at_end": """\
CREATE TRIGGER audit_details_at_end BEFORE INSERT ON audit_details
    WHEN NEW.seq IS NOT (SELECT max(seq) FROM audit_events)
      OR EXISTS (SELECT 1 FROM audit_details AS d WHERE d.seq = NEW.seq AND d.kind = NEW.kind)
    BEGIN SELECT RAISE(ABORT, 'audit_details is only added to with its event'); END""",
    "audit_details_no_update": """\
CREATE TRIGGER audit_details_no_update BEFORE UPDATE ON audit_details
    BEGIN SELECT RAISE(ABORT, 'audit_details is never changed'); END""",
    "audit_details_no_delete": """\
CREATE TRIGGER audit_details_no_delete BEFORE DELETE ON audit_details WHEN OLD.kind <> 'text'
    BEGIN SELECT RAISE(ABORT, 'only texts are taken out of audit_details'); END""",
}
"""The triggers by name, as SQLite keeps them. Those on INSERT are there because INSERT OR REPLACE
takes rows away without asking a trigger on DELETE."""


def _triggers(*names: str) -> str:
    return "".join(f"{GUARDS[name]};\n" for name in names)


M003 = """
-- Decisions of the release gate, each chained to the one before by its hash. Nothing rewrites them.
-- No index makes `hash` unique: INSERT OR REPLACE would take the row away that has the same one,
-- and no trigger would see it.
CREATE TABLE audit_events (
    seq INTEGER PRIMARY KEY,
    prev_hash TEXT NOT NULL,
    record TEXT NOT NULL,
    hash TEXT NOT NULL
);
""" + _triggers("audit_events_no_update", "audit_events_no_delete")

M004 = """
-- What events have only a hash of: names (who asked, ids), and texts where a policy keeps them.
-- Texts are taken out when a source is forgotten, and an event says so.
CREATE TABLE audit_details (
    seq INTEGER NOT NULL REFERENCES audit_events (seq),
    kind TEXT NOT NULL CHECK (kind IN ('names', 'text')),
    detail TEXT NOT NULL,
    PRIMARY KEY (seq, kind)
) WITHOUT ROWID;
""" + _triggers(
    "audit_events_at_end",
    "audit_details_at_end",
    "audit_details_no_update",
    "audit_details_no_delete",
)
