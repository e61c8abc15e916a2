"""What a name means among packages that are folders, and where a name ends with the block that it is declared in."""

from pathlib import Path

import pytest

from tests.indexing.repository import callees, indexed

MODULE = "module example.com/boxes/v2\n\ngo 1.21\n"

BOX = """\
package boxes

type Box[T any] struct {
	Inside [2]*Box[T]
	Lids   []*Lid
	Rows   [][]*Lid
	Slot   Slot
}

type Lid struct{}

type Slot int

func (slot Slot) Close() {}

func (lid *Lid) Open() {}

type Opener interface{ Open() }

type Locker interface{ Lock() }

func New[K comparable](lids ...K) *Box[K] { return nil }

func (box *Box[T]) Close() {}
"""

USE = """\
package boxes

func (box *Box[T]) elsewhere() { box.fill(); fill() }

func (box *Box[T]) fill() {}

func fill() {}

func asserted(one any) {
	if opener, ok := one.(Opener); ok {
		opener.Open()
	}
	locker, ok := one.(Locker)
	locker.Lock()
	_ = ok
}

func mapped(lids map[string]*Lid) {
	lid, ok := lids["a"]
	_ = ok
	lid.Open()
}

func received(lids <-chan *Lid) {
	lid := <-lids
	lid.Open()
	select {
	case one, ok := <-lids:
		one.Open()
		_ = ok
	}
}

func assigned(err error) {
	var one Locker
	one, err = lock()
	one.Lock()
}

func lock() (Locker, error) { return nil, nil }

func array(box *Box[int]) { box.Inside[1].Close() }

func nested(box *Box[int]) {
	for _, row := range box.Rows {
		for _, lid := range row {
			lid.Open()
		}
	}
}

func instantiated() { New[string]("a").Close() }

func hidden(box *Box[int]) {
	for _, box := range box.Lids {
		box.Open()
	}
	box.Close()
	if box, ok := any(box).(Locker); ok {
		box.Lock()
	}
	box.Slot.Close()
}

func switched(one Opener) {
	switch it := one.(type) {
	case *Lid:
		it.Open()
	case Locker, Slot:
		it.Open()
	default:
		it.Open()
	}
}
"""

CRATE = "package crate\n\ntype Box struct{}\n\nfunc Make() *Box { return nil }\n"
CRATE_MORE = "package crate\n\nfunc (box *Box) fill() {}\n\nfunc crated(box *Box) { box.fill() }\n"

OUTSIDE = """\
package outside

import (
	"example.com/boxes/v2"
	"example.com/boxes/v2/go-crate"
	"github.com/other/go-lids"
	"gopkg.in/knobs.v3"
)

func use() {
	boxes.New[int]()
	crate.Make()
	lids.Lock()
	knobs.Lock()
}
"""

FILES = {
    "go.mod": MODULE,
    "box.go": BOX,
    "use.go": USE,
    "go-crate/crate.go": CRATE,
    "go-crate/more.go": CRATE_MORE,
    "outside/outside.go": OUTSIDE,
}

OPEN_LID, OPEN, LOCK = ("Open", "boxes.Lid.Open"), ("Open", "boxes.Opener.Open"), ("Lock", "boxes.Locker.Lock")
CLOSE = ("Close", "boxes.Box.Close")


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(tmp_path_factory.mktemp("packages") / "repo", FILES)


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("asserted", [OPEN, LOCK]),
        ("mapped", [OPEN_LID]),
        ("received", [OPEN_LID, OPEN_LID]),
        ("assigned", [("lock", "boxes.lock"), LOCK]),
        ("array", [CLOSE]),
        ("nested", [OPEN_LID]),
        ("instantiated", [("New", "boxes.New"), CLOSE]),
    ],
)
def test_what_a_package_of_several_files_holds_has_its_type(
    boxes: Path, caller: str, expected: list[tuple[str, str | None]]
) -> None:
    assert callees(boxes, caller) == expected


def test_a_name_ends_with_the_statement_that_declares_it(boxes: Path) -> None:
    assert callees(boxes, "hidden") == [OPEN_LID, CLOSE, ("any", None), LOCK, ("Close", "boxes.Slot.Close")]


def test_a_type_switch_keeps_the_type_where_no_single_one_is_said(boxes: Path) -> None:
    assert callees(boxes, "switched") == [OPEN_LID, OPEN, OPEN]


def test_a_bare_name_is_no_method_of_the_receiver(boxes: Path) -> None:
    assert callees(boxes, "elsewhere") == [("fill", "boxes.Box.fill"), ("fill", "boxes.fill")]


def test_methods_of_a_type_stand_in_its_own_package(boxes: Path) -> None:
    assert callees(boxes, "crated") == [("fill", "crate.Box.fill")]


def test_a_package_is_called_as_it_calls_itself(boxes: Path) -> None:
    found = callees(boxes, "use")
    assert found == [("New", "boxes.New"), ("Make", "crate.Make"), ("Lock", None), ("Lock", None)]


PLATFORM = """\
#ifdef TINY
#define memcpy(to, from, size) tiny_memcpy(to, from, size)
void *malloc(unsigned size);
#endif
#define twice(x) (2 * (x))

static void *tiny_memcpy(void *to, const void *from, int size) { return to; }
char *strdup(const char *text) { return 0; }

BOX_API box_size box_fill(int count) { return twice(count); }

BOX_DECLARE(void *)
box_open(int count)
{
    return 0;
}

void use(void) {
    memcpy(0, 0, 1);
    malloc(1);
    strdup("");
    twice(2);
    box_fill(1);
    box_open(1);
}
"""


def test_a_macro_or_declaration_of_a_platform_function_is_not_what_runs(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"box.c": PLATFORM})
    assert callees(root, "use") == [
        ("memcpy", None),
        ("malloc", None),
        ("strdup", "strdup"),
        ("twice", "twice"),
        ("box_fill", "box_fill"),
        ("box_open", "box_open"),
    ]
