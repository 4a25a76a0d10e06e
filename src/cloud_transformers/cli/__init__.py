"""The `cloudt` command. One folder per family of verbs, one module per verb, and `shared` for what several of them use.

A verb imports what is heavy (torch) inside its `run`, so that help is instant.

A verb module has `add_arguments(parser)`, `run(args) -> int | None` (the exit code), and a docstring whose first line
is its help. `INTERRUPTED`, if it has one, says what a user can do after Ctrl-C.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from cloud_transformers import __version__
from cloud_transformers.cli.completion import answer_shell
from cloud_transformers.cli.shared.verbs import interrupted, summary_of
from cloud_transformers.errors import InputError
from cloud_transformers.printable import PrintableStream

UNHEARD = 141  # as of a process that a broken pipe has ended, in the words of shells: its work is not done
VERBS = {  # verb -> its module
    "demo": "demo",
    "info": "files.info",
    "convert": "files.convert",
    "view": "files.view",
    "data": "data",
    "import-release": "models.import_release",
    "segment": "answers.segment",
    "classify": "answers.classify",
    "complete": "answers.complete",
    "reconstruct": "answers.reconstruct",
    "serve": "serve",
    "weights": "models.weights",
    "calibrate": "models.calibrate",
    "adapt": "models.adapt",
    "train": "training.train",
    "evaluate": "training.evaluate",
    "recipes": "training.recipes",
    "ablate": "training.ablate",
    "export": "models.export",
    "inspect": "inspect",
    "doctor": "doctor",
    "completion": "completion",
}


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cloudt", description="Deep learning on point clouds with cloud transforms.")
    parser.add_argument("--version", action="version", version=f"cloudt {__version__}")
    subparsers = parser.add_subparsers(metavar="VERB", required=True)
    for name, module_name in VERBS.items():
        verb = importlib.import_module(f"cloud_transformers.cli.{module_name}")
        subparser = subparsers.add_parser(
            name,
            help=summary_of(verb),
            description=(verb.__doc__ or "").strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(subparser)
        subparser.set_defaults(run=verb.run, interrupted=interrupted(verb))
    return parser


def sentence(error: Exception) -> str:
    """What went wrong, for a person; the system's own sentence is completed by the name of the file."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
    return str(error)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = build_parser()
    if "_ARGCOMPLETE" in os.environ:
        answer_shell(parser)
    with redirect_stdout(PrintableStream(sys.stdout)), redirect_stderr(PrintableStream(sys.stderr)):
        return run_verb(parser.parse_args(arguments))


def run_verb(args: argparse.Namespace) -> int:
    """Runs the verb that was asked for; what goes wrong becomes a sentence and an exit code."""
    code = UNHEARD
    try:
        code = args.run(args) or 0
        sys.stdout.flush()  # a reader that is gone shows here, not at the interpreter's exit
        return code
    except InputError as error:
        print(f"cloudt: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `cloudt ... | head`: whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code
    except OSError as error:  # unreadable, unwritable, disk full
        print(f"cloudt: {sentence(error)}", file=sys.stderr)
        return 2
    except MemoryError:
        print("cloudt: there is not enough memory for this; take less at once, or a machine with more", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"cloudt: interrupted{args.interrupted}", file=sys.stderr)
        return 130
