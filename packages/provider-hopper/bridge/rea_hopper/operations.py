"""Every method by its name, and what each gets to answer with."""

import platform

from . import VERSION, annotations, code, dossier, lists, memory, navigation, refusals, references, searches
from .documents import Documents, name_of
from .inventories import Inventories
from .params import Params, parse_address
from .procedures import MAXIMUM_NAME, Procedures, named
from .target import Target
from .text import LIST_LIMIT

_NO_DOCUMENT = frozenset(["list_documents", "current_document", "set_current_document"])

_OPERATIONS = {
    "list_documents": navigation.list_documents,
    "current_document": navigation.current_document,
    "set_current_document": navigation.set_current_document,
    "current_address": navigation.current_address,
    "current_procedure": navigation.current_procedure,
    "goto_address": navigation.goto_address,
    "next_address": navigation.next_address,
    "prev_address": navigation.prev_address,
    "list_segments": memory.list_segments,
    "list_procedures": lists.list_procedures,
    "list_names": lists.list_names,
    "list_strings": lists.list_strings,
    "search_procedures": searches.search_procedures,
    "search_strings": searches.search_strings,
    "procedure_address": navigation.procedure_address,
    "procedure_info": navigation.procedure_info,
    "procedure_assembly": code.procedure_assembly,
    "procedure_pseudo_code": code.procedure_pseudo_code,
    "procedure_callers": references.procedure_callers,
    "procedure_callees": references.procedure_callees,
    "procedure_references": references.procedure_references,
    "read_function_instructions": code.read_function_instructions,
    "function_dossier": dossier.function_dossier,
    "function_listing": code.function_listing,
    "read_bytes": memory.read_bytes,
    "address_to_file_offset": memory.address_to_file_offset,
    "resolve_containing_procedure": navigation.resolve_containing_procedure,
    "xrefs": references.xrefs,
    "address_name": annotations.address_name,
    "comment": annotations.comment,
    "inline_comment": annotations.inline_comment,
    "list_bookmarks": annotations.list_bookmarks,
    "set_address_name": annotations.set_address_name,
    "set_addresses_names": annotations.set_addresses_names,
    "set_comment": annotations.set_comment,
    "set_inline_comment": annotations.set_inline_comment,
    "set_bookmark": annotations.set_bookmark,
    "unset_bookmark": annotations.unset_bookmark,
}


class Context:
    """One request: its parameters, its work, and the document it is about."""

    def __init__(self, documents, inventories, params, work):
        self.documents = documents
        self.inventories = inventories
        self.params = params
        self.work = work
        self._name = None
        self._document = None
        self._procedure = None

    def take(self, method):
        """Reads what most operations share, so that what is left of the parameters is the operation's own."""
        if method in _NO_DOCUMENT:
            return
        self._name = self.params.optional_text("document", LIST_LIMIT)
        self._procedure = self.params.optional_text("procedure", MAXIMUM_NAME)

    def document(self):
        if self._document is None:
            self._document = self.documents.named(self._name)
        return self._document

    def document_name(self):
        return name_of(self.document())

    def procedures(self):
        return Procedures(self.document(), self.work)

    def procedure(self):
        """The procedure that the request names."""
        if self._procedure is None:
            raise refusals.bad_parameter("procedure", "an entry address or a name")
        place = parse_address(self._procedure)
        if place is not None:
            return self.procedures().starting_at(place)
        inventory, _ = self.inventories.procedures(self.document(), self.work)
        return named(inventory, self._procedure)


class Operations:
    def __init__(self, document_class, target, run_id):
        self._target = Target(document_class, target)
        self._run_id = run_id
        self._documents = Documents(self._target)
        self._inventories = Inventories()

    def answer(self, method, given, work):
        params = Params(given)
        if method == "open_target":
            return self._open(params, work)
        operation = _OPERATIONS.get(method)
        if operation is None:
            raise refusals.Refusal("capability_unavailable", "unknown_method", "the bridge has no such method")
        context = Context(self._documents, self._inventories, params, work)
        context.take(method)
        answer = operation(context)
        # What changes something has looked at this before.
        params.finish()
        if method not in _NO_DOCUMENT and self._documents.selected() is not None:
            # Named after the file, so it is told only where a choice was made: a renamed file gives the same answers.
            answer.resolved["document"] = context.document_name()
        return answer.on_wire()

    def _open(self, params, work):
        """Waits for the target's document and the end of its analysis; says who answers."""
        params.finish()
        document = self._target.wait_for_document(work)
        self._target.check_bytes(work)
        self._target.wait_for_analysis(document, work)
        return {
            "bridge_version": VERSION,
            "run_id": self._run_id,
            "python": platform.python_version(),
            "operations": sorted(_OPERATIONS),
        }
