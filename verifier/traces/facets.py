"""The attributes that metrics are counted by, under the names that tools give them."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.traces.model import Facet

_NAMES: dict[Facet, tuple[str, ...]] = {
    "source": ("source", "retrieval_source", "source_name", "data_source", "source_id"),
    "document_type": ("document_type", "doc_type", "content_type", "file_type", "doctype"),
    "partition": (
        "partition", "knowledge_base", "knowledge_base_partition", "kb", "kb_partition",
        "namespace", "collection", "index", "index_name", "data_source_id",
    ),
    "retriever": ("retriever", "retriever_name", "retrieval_config", "retrieval_configuration",
                  "ls_retriever_name", "ls_vector_store_provider"),
    "prompt_version": ("prompt_version", "prompt_template_version", "prompt.version",
                       "prompt_template.version"),
    "domain": ("domain", "risk_domain", "vertical"),
    "time": ("time", "timestamp", "start_time", "startTime", "created_at"),
    "model": ("model", "model_name", "request.model", "response.model", "ls_model_name"),
    "session": ("session", "session_id", "session.id", "sessionId", "conversation.id",
                "conversation_id", "thread_id"),
}  # fmt: skip
_EXACT: dict[str, Facet] = {name: facet for facet, names in _NAMES.items() for name in names}
_UNDER = (
    "metadata.", "llm.", "gen_ai.", "langfuse.", "langfuse.trace.", "langfuse.trace.metadata.",
    "langfuse.observation.", "langfuse.observation.metadata.", "extra.metadata.", "attributes.",
    "tag.", "retrieval.",
)  # fmt: skip
"""What tools put before the names."""


def facets(values: Mapping[str, str]) -> dict[str, str]:
    """The facets that recorded values have, by their own names; the shortest recorded name wins,
    and of two of one length the one that comes first in the alphabet."""
    found: dict[str, str] = {}
    for name in sorted(values, key=lambda n: (len(n), n)):
        facet = _EXACT.get(name)
        for prefix in _UNDER:
            if facet is None and name.startswith(prefix):
                facet = _EXACT.get(name[len(prefix) :])
        if facet is not None and values[name]:
            found.setdefault(facet, values[name])
    return found
