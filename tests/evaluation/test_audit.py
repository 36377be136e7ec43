"""Soundness and its audit."""

from mwp.arith.notation import parse, to_prefix
from mwp.data.soundness import is_sound
from mwp.evaluation.search_audit import audit, sound_rank, to_csv
from mwp.wda.labels import Label, LabelCandidate
from tests.wda.problems import problem

EXAM = problem(
    "有40名学生参加语文和数学考试，25人语文及格，20人数学及格，10人都不及格，两门都及格的有多少人？",
    "15",
    "25+20-(40-10)",
)
TWICE = problem("甲有6个，乙有6个，丙有2个，甲和丙共有多少个？", "8", "6+2")


def label(*solutions: str) -> Label:
    found = tuple(LabelCandidate(solution=to_prefix(parse(solution)), score=0.0) for solution in solutions)
    return Label(id="1", strategy="ranked", candidates=found, alternatives=0, tries=0)


def test_the_alternatives_of_the_papers_table_1_are_sound_and_the_spurious_one_is_not() -> None:
    assert is_sound(parse("N1+N2-N0+N3"), EXAM)
    assert is_sound(parse("N3+N1+N2-N0"), EXAM)
    assert not is_sound(parse("N1-N3"), EXAM)


def test_any_reading_of_a_duplicated_number_is_accepted() -> None:
    assert is_sound(parse("N0+N2"), TWICE)
    assert is_sound(parse("N1+N2"), TWICE)
    assert not is_sound(parse("N0+N1"), TWICE)


def test_the_rank_is_that_of_the_first_sound_candidate() -> None:
    assert sound_rank(label("N1-N3", "N1+N2-N0+N3"), EXAM) == 1
    assert sound_rank(label("N1-N3"), EXAM) is None


def test_the_audit_counts_over_all_problems_and_by_operators() -> None:
    rows = audit([EXAM, EXAM, TWICE], [label("N1-N3", "N1+N2-N0+N3"), label(), label("N1+N2")])
    assert [(row.operators, row.problems, row.found, row.sound, row.sound_at_5) for row in rows] == [
        ("all", 3, 2, 1, 2),
        ("1", 1, 1, 1, 1),
        ("3", 2, 1, 0, 1),
    ]


def test_without_ground_truths_there_is_nothing_to_audit() -> None:
    assert audit([problem("有3个", "3")], [label("N0")]) == []


def test_the_audit_as_csv_has_a_header_and_a_line_a_row() -> None:
    rows = audit([TWICE], [label("N1+N2")])
    assert to_csv(rows) == "strategy,operators,problems,found,sound,sound_at_5\nranked,all,1,1,1,1\nranked,1,1,1,1,1\n"
