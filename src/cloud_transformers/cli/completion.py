"""Print what makes a shell complete cloudt's verbs and options.

  bash: cloudt completion bash > ~/.local/share/bash-completion/completions/cloudt
  zsh:  cloudt completion zsh > ~/.zfunc/_cloudt          (~/.zfunc must be in fpath)
  fish: cloudt completion fish > ~/.config/fish/completions/cloudt.fish

Needs: pip install 'cloud-transformers[completion]'
"""

import argparse
from contextlib import suppress
from types import ModuleType

from cloud_transformers.errors import InputError

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that shall complete")


def run(args: argparse.Namespace) -> None:
    print(_argcomplete().shellcode(["cloudt"], shell=args.shell))


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Tell the shell that asks what could follow, and exit; without the package there is nothing to tell."""
    with suppress(InputError):
        _argcomplete().autocomplete(parser)


def _argcomplete() -> ModuleType:
    try:
        import argcomplete
    except ImportError:
        raise InputError(
            "completion needs the package argcomplete: pip install 'cloud-transformers[completion]'"
        ) from None
    return argcomplete
