"""A small run: the exam of the paper's Table 1, an answer that is a fraction, and a problem without a prediction."""

from mwp.arith.notation import parse, to_prefix
from mwp.data.problems import Problem
from mwp.inference.predictions import Prediction, make_hypothesis
from tests.wda.problems import problem

EXAM_TEXT = "有40名学生参加语文和数学考试，25人语文及格，20人数学及格，10人都不及格，两门都及格的有多少人？"


def named(name: str, text: str, answer: str, equation: str | None = None) -> Problem:
    return problem(text, answer, equation).model_copy(update={"id": name})


def predict(problem: Problem, *solutions: str) -> Prediction:
    """The solutions are infix equations, best first."""
    hypotheses = [
        make_hypothesis(to_prefix(parse(solution)), -float(rank), problem) for rank, solution in enumerate(solutions)
    ]
    return Prediction(id=problem.id, hypotheses=tuple(hypotheses))


EXAM = named("exam", EXAM_TEXT, "15", "25+20-(40-10)")
METRES = named("metres", "把2米平均分成3段，每段长多少米？", "((2)/(3))", "2/3")
APPLES = named("apples", "有3个苹果和4个梨，共有多少个？", "7", "3+4")
PROBLEMS = [EXAM, METRES, APPLES]

# Right, the same modulo the laws, right but spurious, another spurious one, wrong; then wrong, right, no more hypotheses.
PREDICTIONS = [
    predict(EXAM, "N1+N2-N0+N3", "N3+N1+N2-N0", "N1-N3", "N0-N1", "N0*N1"),
    predict(METRES, "N1/N0", "N0/N1"),
]
