"""The tree of errors that a user can meet.

    PagewitnessError
    ├── InputError              exit 2: the call, a request or a configuration is wrong
    │   ├── UsageError              usage
    │   ├── RequestInvalidError     invalid_request
    │   ├── DuplicateClaimIdError   duplicate_claim_id
    │   ├── ConfigInvalidError      invalid_config
    │   ├── AnswerInvalidError      invalid_answer
    │   ├── LabelsInvalidError      invalid_labels
    │   ├── PolicyInvalidError      invalid_policy
    │   ├── AuditInvalidError       invalid_audit_export
    │   ├── ArtifactInvalidError    invalid_artifact
    │   ├── ConversionInvalidError  invalid_conversion_input
    │   ├── AuditEventNotFoundError audit_event_not_found
    │   ├── TracesInvalidError      invalid_traces
    │   ├── BoxInvalidError         invalid_bbox
    │   ├── NotCanonicalError       not_canonical
    │   ├── DocumentNotFoundError   document_not_found
    │   ├── DocumentAmbiguousError  document_ambiguous
    │   ├── SourceNotApprovedError  source_not_approved
    │   ├── SourceExpiredError      source_expired
    │   ├── SourceNotPermittedError source_not_permitted
    │   ├── PageNotFoundError       page_not_found
    │   ├── ElementNotFoundError    element_not_found
    │   ├── TableNotFoundError      table_not_found
    │   ├── CellNotFoundError       table_cell_not_found
    │   └── OutputError             output_failed
    ├── StoreError              exit 2
    │   ├── StoreNotFoundError      store_not_found
    │   ├── NotAStoreError          not_a_store
    │   ├── StoreVersionError       store_version
    │   ├── StoreBusyError          store_busy
    │   ├── AuditUnavailableError   audit_unavailable
    │   └── StoreDamagedError       store_damaged
    ├── CropError               exit 1: crop_failed, where no leaf says it better
    │   ├── SourceBytesMissingError source_bytes_missing
    │   └── SourceBytesChangedError source_bytes_changed
    └── Refusal                 exit 1: one file could not be ingested (codes in REFUSALS)

Each leaf binds a stable code, an exit code and a remedy. Programs switch on the code; the message
is for people and may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class PagewitnessError(Exception):
    """Base of everything that is reported as `error[code]: message; remedy`."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2
    remedy: ClassVar[str] = "see pagewitness --help"

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.what_to_do = remedy or self.remedy

    def __str__(self) -> str:
        return self.message

    def line(self) -> str:
        """One line for a terminal."""
        return f"error[{self.code}]: {' '.join(self.message.split())}; {self.what_to_do}"

    def as_dict(self) -> dict[str, dict[str, str]]:
        """The shape that `--json` prints."""
        return {"error": {"code": self.code, "message": self.message, "remedy": self.what_to_do}}


class InputError(PagewitnessError):
    """What the caller handed over cannot be used; nothing was written."""


class UsageError(InputError):
    code = "usage"
    remedy = "see --help of the command"


class RequestInvalidError(InputError):
    code = "invalid_request"
    remedy = "compare the request with schemas/verification_request.schema.json"


class DuplicateClaimIdError(RequestInvalidError):
    code = "duplicate_claim_id"
    remedy = "give every claim of a request an id of its own"


class ConfigInvalidError(InputError):
    code = "invalid_config"
    remedy = "compare the file with schemas/verification_config.schema.json"


class AnswerInvalidError(InputError):
    """A generated answer is so malformed that nothing can be decided about."""

    code = "invalid_answer"
    remedy = "compare the file with schemas/generated_answer.schema.json"


class LabelsInvalidError(InputError):
    code = "invalid_labels"
    remedy = "compare the file with schemas/release_labels.schema.json"


class PolicyInvalidError(InputError):
    """A release policy has unknown keys, values or a version that this program does not know."""

    code = "invalid_policy"
    remedy = "compare the file with schemas/release_policy.schema.json"


class ArtifactInvalidError(InputError):
    """A foreign parser's file is malformed; the message names the element that is wrong."""

    code = "invalid_artifact"
    remedy = "write the file again with its parser, or choose the adapter that fits it"


class ConversionInvalidError(InputError):
    """A file to convert, or a sources map, has not the shape of its format."""

    code = "invalid_conversion_input"
    remedy = "see docs/convert.md for the shape of every format"


class AuditEventNotFoundError(InputError):
    code = "audit_event_not_found"
    remedy = "`pagewitness audit list` lists the events"


class TracesInvalidError(InputError):
    """A file holds no traces of a form that is read; single bad traces are listed instead."""

    code = "invalid_traces"
    remedy = "see docs/audits.md for what is read, and name the form with --traces-format"


class BoxInvalidError(InputError):
    code = "invalid_bbox"
    remedy = "give x0,y0,x1,y1 with x0 < x1 and y0 < y1, in centipoints from the top left"


class NotCanonicalError(InputError):
    code = "not_canonical"
    remedy = "use strings for amounts and integers up to 2**53 - 1"


class DocumentNotFoundError(InputError):
    code = "document_not_found"
    remedy = "`pagewitness sources` lists what the store holds"


class DocumentAmbiguousError(InputError):
    code = "document_ambiguous"
    remedy = "name it by its source id or fingerprint (`pagewitness sources`)"


class SourceNotApprovedError(InputError):
    code = "source_not_approved"
    remedy = "`pagewitness sources` shows its status; approve it with `pagewitness source set`"


class SourceExpiredError(InputError):
    code = "source_expired"
    remedy = "`pagewitness sources --json` shows its dates; ask as of another day"


class SourceNotPermittedError(InputError):
    code = "source_not_permitted"
    remedy = "call with --permission for each of its labels (`pagewitness sources --json`)"


class PageNotFoundError(InputError):
    code = "page_not_found"
    remedy = "pages count from 1; `pagewitness sources` shows how many there are"


class ElementNotFoundError(InputError):
    code = "element_not_found"
    remedy = "`pagewitness show DOC --page N` lists the element ids of a page"


class TableNotFoundError(InputError):
    code = "table_not_found"
    remedy = "`pagewitness show DOC --page N` prints a page's tables with their ids"


class CellNotFoundError(InputError):
    code = "table_cell_not_found"
    remedy = "rows and columns count from 0; `pagewitness show DOC --page N` prints the tables"


class OutputError(InputError):
    code = "output_failed"
    remedy = "choose a writable place with free space"


class StoreError(PagewitnessError):
    """The grounding store cannot be used as it is."""


class StoreNotFoundError(StoreError):
    code = "store_not_found"
    remedy = "run `pagewitness ingest` first, or name the store with --db"


class NotAStoreError(StoreError):
    code = "not_a_store"
    remedy = "name another file with --db"


class StoreVersionError(StoreError):
    code = "store_version"
    remedy = "upgrade pagewitness, or ingest into a new store"


class AuditUnavailableError(StoreError):
    """A decision could not be recorded; it must not be carried out."""

    code = "audit_unavailable"
    remedy = "make room and let writers end, then decide again"


class AuditInvalidError(InputError):
    """A file of audit events is none."""

    code = "invalid_audit_export"
    remedy = "give a file that `pagewitness audit export` wrote"


class StoreBusyError(StoreError):
    code = "store_busy"
    remedy = "another process writes to the store; run the command again when it has ended"


class StoreDamagedError(StoreError):
    code = "store_damaged"
    remedy = "restore the file from a copy, or ingest the documents into a new store"


class CropError(PagewitnessError):
    """A picture could not be rendered from the source bytes."""

    code = "crop_failed"
    exit_code = 1
    remedy = "open the PDF in a viewer to see whether it is damaged"


class SourceBytesMissingError(CropError):
    code = "source_bytes_missing"
    remedy = "put the PDF back where it was ingested from, or name it with --pdf"


class SourceBytesChangedError(CropError):
    code = "source_bytes_changed"
    remedy = "name the original file with --pdf, or ingest the new bytes and cite those"


class Refusal(PagewitnessError):
    """One file could not be ingested; the run goes on with the others."""

    exit_code = 1


class FileMissing(Refusal):
    code = "file_not_found"
    remedy = "check the path"


class NotAPdf(Refusal):
    code = "not_a_pdf"
    remedy = "convert it to PDF first; only PDF is read"


class EmptyFile(Refusal):
    code = "empty_file"
    remedy = "fetch the file again"


class PasswordRequired(Refusal):
    code = "password_required"
    remedy = "save a copy without the password"


class NoPages(Refusal):
    code = "no_pages"
    remedy = "fetch the file again, or export it again from where it was made"


class Damaged(Refusal):
    code = "damaged"
    remedy = "fetch the file again, or repair it with a PDF tool"


class TooLarge(Refusal):
    code = "too_large"
    remedy = "split the file, or raise --max-bytes"


class TimedOut(Refusal):
    code = "timed_out"
    remedy = "raise --timeout, or split the file"


class OutOfMemory(Refusal):
    code = "out_of_memory"
    remedy = "raise --memory-limit, or split the file"


class WorkerCrashed(Refusal):
    code = "worker_crashed"
    remedy = "repair the file with a PDF tool and try again"


class Unsupported(Refusal):
    code = "unsupported"
    remedy = "export the document again as plain PDF"


REFUSALS: dict[str, type[Refusal]] = {
    leaf.code: leaf
    for leaf in (
        FileMissing, NotAPdf, EmptyFile, PasswordRequired, NoPages, Damaged,
        TooLarge, TimedOut, OutOfMemory, WorkerCrashed, Unsupported,
    )
}  # fmt: skip


def refusal(code: str, message: str) -> Refusal:
    """The refusal with this code; an unknown code is a bug here, so it raises KeyError."""
    return REFUSALS[code](message)


@contextmanager
def error_context(**where: object) -> Iterator[None]:
    """Adds `(document x, page 3)` to the message of any PagewitnessError raised inside."""
    try:
        yield
    except PagewitnessError as error:
        place = ", ".join(f"{name} {value}" for name, value in where.items())
        error.message = f"{error.message} ({place})"
        raise
