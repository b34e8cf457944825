"""From LLVM's code of a game's entries to libraries."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from lastcard.engine.places import NEWER, WASM, library_name

from .entries import Entry
from .parts import NATIVE

LLVM_TYPES = {"address": "ptr", "int64": "i64", "float64": "double"}
RETURNED = {"int": "i64", "float": "double"}
ALONE = ("playouts", "selfplay", "stepping", "recording")  # parts that are compiled by themselves


@dataclass(frozen=True)
class Target:
    triple: str
    cpu: str
    features: str
    file: str
    emulation: str = ""  # of the linker

    @property
    def wasm(self) -> bool:
        return self.file == WASM


TARGETS = (
    Target("x86_64-unknown-linux-gnu", "x86-64-v2", "", library_name("x86_64"), "elf_x86_64"),
    Target("x86_64-unknown-linux-gnu", "x86-64-v3", "", library_name(NEWER), "elf_x86_64"),
    Target("aarch64-unknown-linux-gnu", "generic", "", library_name("aarch64"), "aarch64linux"),
    Target(
        "wasm32-unknown-unknown",
        "generic",
        "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals",
        WASM,
    ),
)

# What LLVM calls for large copies. Nothing else is there: a library has no other one.
COPYING = """
define internal void @move(ptr %to, ptr %from, i64 %count, i64 %start, i64 %step) #0 {
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %one
one:
  %i = phi i64 [ %start, %0 ], [ %next, %one ]
  %left = phi i64 [ %count, %0 ], [ %fewer, %one ]
  %source = getelementptr i8, ptr %from, i64 %i
  %target = getelementptr i8, ptr %to, i64 %i
  %byte = load i8, ptr %source
  store i8 %byte, ptr %target
  %next = add i64 %i, %step
  %fewer = sub i64 %left, 1
  %end = icmp eq i64 %fewer, 0
  br i1 %end, label %done, label %one
done:
  ret void
}
define hidden ptr @memcpy(ptr noalias %to, ptr noalias %from, i64 %count) #0 {
  %words = lshr i64 %count, 3
  %none = icmp eq i64 %words, 0
  br i1 %none, label %rest, label %word
word:
  %i = phi i64 [ 0, %0 ], [ %next, %word ]
  %source = getelementptr i64, ptr %from, i64 %i
  %target = getelementptr i64, ptr %to, i64 %i
  %value = load i64, ptr %source, align 1
  store i64 %value, ptr %target, align 1
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %words
  br i1 %end, label %rest, label %word
rest:
  %copied = shl i64 %words, 3
  %left = and i64 %count, 7
  call void @move(ptr %to, ptr %from, i64 %left, i64 %copied, i64 1)
  ret ptr %to
}
define hidden ptr @memmove(ptr %to, ptr %from, i64 %count) #0 {
  %up = icmp ult ptr %to, %from
  br i1 %up, label %upward, label %downward
upward:
  call void @move(ptr %to, ptr %from, i64 %count, i64 0, i64 1)
  ret ptr %to
downward:
  %last = sub i64 %count, 1
  call void @move(ptr %to, ptr %from, i64 %count, i64 %last, i64 -1)
  ret ptr %to
}
define hidden ptr @memset(ptr %to, i32 %value, i64 %count) #0 {
  %byte = trunc i32 %value to i8
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %one
one:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %target = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %one
done:
  ret ptr %to
}
attributes #0 = { "no-builtins" nounwind }
"""


def link(parts: Mapping[str, list[Entry]], target: Target, scratch: Path, out: Path) -> None:
    """Writes the library of one target.

    What plays by itself, such as search, is a module of its own with all rules compiled into it: up
    to 7 % faster than calling those that everybody calls. In WebAssembly size counts for more.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="static" if target.wasm else "pic",
    )
    if target.wasm:
        parts = {part: some for part, some in parts.items() if part not in NATIVE}
    every = [entry for some in parts.values() for entry in some]
    others = [entry for part, some in parts.items() if part not in ALONE for entry in some]
    modules = [every] if target.wasm else [others, *(parts[part] for part in ALONE)]
    objects: list[Path] = []
    for entries in modules:
        objects.append(scratch / f"{target.file}.{len(objects)}.o")
        code = _optimised(_joined(entries, machine), machine)
        objects[-1].write_bytes(machine.emit_object(code))
    if target.wasm:
        exports = [f"--export={name}" for name in (*(one.name for one in every), "__heap_base")]
        _run(["wasm-ld", "--no-entry", "--strip-all", "-O2", *exports, *objects, "-o", out])
        return
    copying = scratch / f"{target.file}.copying.o"
    copying.write_bytes(machine.emit_object(_optimised(_retargeted(COPYING, machine), machine)))
    _run(
        [
            *("ld.lld", "-m", target.emulation, "-shared", "--no-undefined", "--strip-all"),
            *("--build-id=none", "--hash-style=gnu", "-z", "noexecstack", "--gc-sections"),
            *objects,
            *(copying, "-o", out),
        ]
    )


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True)


def _joined(entries: list[Entry], machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """All entries in one module, in which only these can be seen from outside."""
    module = _retargeted("".join(map(_wrapper, entries)), machine)
    for one in entries:
        module.link_in(_retargeted(one.code, machine))
    visible = {one.name for one in entries}
    for function in module.functions:
        if not function.is_declaration and function.name not in visible:
            function.linkage = "internal"
    for value in module.global_variables:
        if not value.is_declaration:
            value.linkage = "internal"
    return module


def _wrapper(entry: Entry) -> str:
    """The function that others call: it gives Numba's the places for results and errors."""
    given = [(LLVM_TYPES[one.type], f"%{one.name}.") for one in entry.arguments]
    taken = ", ".join(f"{type} {name}" for type, name in given)
    types = ", ".join(["ptr", "ptr", *(type for type, _ in given)])
    values = ", ".join(["ptr %result", "ptr %error", *(f"{type} {name}" for type, name in given)])
    kind = RETURNED.get(entry.returns)
    end = f"%value = load {kind}, ptr %result\n  ret {kind} %value" if kind else "ret void"
    return f"""
declare i32 @"{entry.symbol}"({types})
define {kind or "void"} @{entry.name}({taken}) {{
  %result = alloca i64
  %error = alloca ptr
  %status = call i32 @"{entry.symbol}"({values})
  {end}
}}
"""


def _retargeted(code: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """Code for this machine instead of the one that it was made on."""
    code = re.sub(r'^target (datalayout|triple) = ".*"$', "", code, flags=re.MULTILINE)
    code = re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)
    code = code.replace("= common ", "= internal ")
    module = llvm.parse_assembly(code)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    return module


def _optimised(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return module
