"""Segments, procedures, blocks and instructions of the stand-in's documents."""

import listing


class Section:
    def __init__(self, name, start, length):
        self._name = name
        self._start = start
        self._length = length

    def getName(self):
        return self._name

    def getStartingAddress(self):
        return self._start

    def getLength(self):
        return self._length


class Segment:
    TYPE_UNDEFINED = 0
    TYPE_NEXT = 1
    TYPE_ASCII = 8
    TYPE_UNICODE = 9
    TYPE_CODE = 65

    def __init__(self, document, name, start, offset, file_size, memory_size):
        self._document = document
        self._name = name
        self.start = start
        self._offset = offset
        self._file_size = file_size
        self._length = memory_size
        self.data = document._elf.data[offset : offset + file_size] + bytes(memory_size - file_size)
        self.sections = []
        self.names = {}
        self.comments = {}
        self.inline_comments = {}
        self.strings = []
        self.wide = set()
        self.incoming = {}

    def getName(self):
        return self._name

    def getStartingAddress(self):
        return self.start

    def getLength(self):
        return self._length

    def getFileOffset(self):
        return self._offset

    def containsAddress(self, address):
        return self.start <= address < self.start + self._length

    def file_offset_of(self, address):
        return self._offset + address - self.start if address - self.start < self._file_size else -1

    def getSectionCount(self):
        return len(self.sections)

    def getSection(self, index):
        return self.sections[index]

    def readBytes(self, address, length):
        at = address - self.start
        return self.data[at : at + length] if self.containsAddress(address) else None

    def getTypeAtAddress(self, address):
        if address in self._document.codes:
            return self.TYPE_CODE
        if address in self.wide:
            return self.TYPE_UNICODE
        return self.TYPE_ASCII if any(place == address for place, _ in self.strings) else self.TYPE_UNDEFINED

    def getNameAtAddress(self, address):
        return self.names.get(address)

    def setNameAtAddress(self, address, name):
        # A name stands at one address only.
        if any(known == name and place != address for place, known in self.names.items()):
            return False
        self.names[address] = name
        return True

    def getNamedAddresses(self):
        return list(self.names)

    def getCommentAtAddress(self, address):
        return self.comments.get(address)

    def setCommentAtAddress(self, address, text):
        self.comments[address] = text

    def getInlineCommentAtAddress(self, address):
        return self.inline_comments.get(address)

    def setInlineCommentAtAddress(self, address, text):
        self.inline_comments[address] = text

    def getInstructionAtAddress(self, address):
        code = self._document.codes.get(address)
        return None if code is None else Instruction(code)

    def getInstructionStart(self, address):
        for place in range(address, max(self.start, address - 16) - 1, -1):
            code = self._document.codes.get(place)
            if code is not None:
                return place if address < code.end else address
        return address

    def getObjectLength(self, address):
        code = self._document.codes.get(address)
        return 1 if code is None else len(code.data)

    def getProcedureCount(self):
        return len(self._procedures())

    def getProcedureAtIndex(self, index):
        return self._procedures()[index]

    def getProcedureAtAddress(self, address):
        return self._document.function_at(address)

    def getReferencesOfAddress(self, address):
        return list(self.incoming.get(address, []))

    def getReferencesFromAddress(self, address):
        code = self._document.codes.get(address)
        return [] if code is None else code.references()

    def getStringCount(self):
        return len(self.strings)

    def getStringAtIndex(self, index):
        return self.strings[index][1]

    def getStringAddressAtIndex(self, index):
        return self.strings[index][0]

    def _procedures(self):
        return [each for each in self._document.procedures if self.containsAddress(each.getEntryPoint())]


class Procedure:
    def __init__(self, document, entry, instructions):
        self._document = document
        self._entry = entry
        self._instructions = instructions
        self._blocks = [BasicBlock(*each) for each in listing.blocks(instructions)]

    def holds(self, address):
        return self._instructions[0].address <= address < self._instructions[-1].end

    def getEntryPoint(self):
        return self._entry

    def getSegment(self):
        return self._document.getSegmentAtAddress(self._entry)

    def getBasicBlockCount(self):
        return len(self._blocks)

    def getBasicBlock(self, index):
        return self._blocks[index]

    def getLocalVariableList(self):
        return [LocalVariable("var_8", -8)]

    def signatureString(self):
        return "int (void)"

    def decompile(self):
        return "int sub_%x() {\n    return;\n}\n" % self._entry

    def getAllCallees(self):
        return [CallReference(code.address, code.near) for code in self._instructions if code.is_call() and code.near is not None]

    def getAllCallers(self):
        return [call for each in self._document.procedures for call in each.getAllCallees() if call.toAddress() == self._entry]


class BasicBlock:
    def __init__(self, start, end, successors):
        self._start = start
        self._end = end
        self._successors = successors

    def getStartingAddress(self):
        return self._start

    def getEndingAddress(self):
        return self._end

    def getSuccessorCount(self):
        return len(self._successors)

    def getSuccessorAddressAtIndex(self, index):
        return self._successors[index]


class Instruction:
    def __init__(self, code):
        self._code = code

    def getInstructionString(self):
        return self._code.mnemonic

    def getArgumentCount(self):
        return len(self._code.operands)

    def getFormattedArgument(self, index):
        return self._code.operands[index]

    def getInstructionLength(self):
        return len(self._code.data)

    def isAnInconditionalJump(self):
        return self._code.is_jump()

    def isAConditionalJump(self):
        return self._code.is_conditional_jump()


class CallReference:
    CALL_NONE = 0
    CALL_UNKNOWN = 1
    CALL_DIRECT = 2
    CALL_OBJECTIVEC = 3

    def __init__(self, origin, to):
        self._origin = origin
        self._to = to

    def type(self):
        return self.CALL_DIRECT

    def fromAddress(self):
        return self._origin

    def toAddress(self):
        return self._to


class LocalVariable:
    def __init__(self, name, displacement):
        self._name = name
        self._displacement = displacement

    def name(self):
        return self._name

    def displacement(self):
        return self._displacement
