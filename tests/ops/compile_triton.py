"""Compile every Triton kernel for one NVIDIA architecture. Run as a script: not under Triton's interpreter."""

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from cloud_transformers.ops import triton_corners
from cloud_transformers.ops.derasterize import triton_kernels as read_kernels
from cloud_transformers.ops.rasterize import triton_kernels as write_kernels

TYPES = {"mask": "*i1", "packed": "*i64", "N": "i32", "count": "*i32", "winner": "*i32", "note": "*i32"}


def compile_kernel(kernel, constants: dict, **types: str) -> None:
    constants = {name: value for name, value in constants.items() if name in kernel.arg_names}
    types = {**TYPES, **types}
    signature = {name: "constexpr" if name in constants else types.get(name, "*fp32") for name in kernel.arg_names}
    compiled = triton.compile(
        ASTSource(kernel, signature, constexprs=constants),
        target=GPUTarget("cuda", 80, 32),
        options={"enable_fp_fusion": False},
    )
    assert "fma" not in compiled.asm["ptx"]
    assert compiled.asm["cubin"]


if __name__ == "__main__":
    planar = triton_corners.constants(16, 4, (128, 128), has_mask=True)
    volumetric = {**triton_corners.constants(16, 3, (1, 8, 8), has_mask=False), "mask": None}
    variants = [
        (write_kernels._scatter_max, planar),
        (write_kernels._scatter_max, volumetric),
        (write_kernels._scatter_sum, {**planar, "COUNTS": True}),
        (write_kernels._gather_gradient, {**planar, "IS_MAX": True, "IS_MEAN": False, "BALANCE": True}),
        (write_kernels._gather_gradient, {**volumetric, "IS_MAX": False, "IS_MEAN": True, "BALANCE": False}),
        (read_kernels._gather, planar),
        (read_kernels._scatter_gradient, {**planar, "BALANCE": False}),
    ]
    for kernel, constants in variants:
        compile_kernel(kernel, constants)
    compile_kernel(write_kernels._unpack_max, {"BLOCK": write_kernels.NODES_PER_PROGRAM}, count="i64")
    print(len(variants) + 1, "kernels")
