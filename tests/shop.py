"""The fixture repository of the retrieval, command line and facade tests."""

import shutil
from pathlib import Path

FIXTURE = Path(__file__).parent.parent / "fixtures" / "shop"


def copy_shop(to: Path) -> Path:
    """Copy the repository, without an index, and return its root."""
    return Path(shutil.copytree(FIXTURE, to / "shop"))
