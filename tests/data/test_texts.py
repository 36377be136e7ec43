import pytest

from mwp.data.text import cut_unit, join_words, normalise


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("有１２个，用去２５％", "有12个，用去25%"),
        ("全书的（1/6）", "全书的(1/6)"),
        ("全书的（１／６）", "全书的(1/6)"),
        ("6（1）班", "6（1）班"),
        ("和是24．3天后", "和是24．3天后"),
        ("比例尺4e-07的地图", "比例尺0.0000004的地图"),
        ("1.25e-07", "0.000000125"),
        ("1e+16", "10000000000000000"),
        ("型号3.1e9999", "型号3.1e9999"),
        ("占总人数的（\\u3000\\u3000）", "占总人数的（\u3000\u3000）"),
        ("\ud800苹果", "?苹果"),
        ("\\ud83d", "?"),
        ("  两边  ", "两边"),
    ],
)
def test_a_text_is_brought_to_plain_spelling(written: str, read: str) -> None:
    assert normalise(written) == read


@pytest.mark.parametrize(
    ("segmented", "joined"),
    [
        ("两个 因数 的 积是 48.0 ． 乘 2.5", "两个因数的积是48．乘2.5"),
        ("1000.0 本 、 0.30 米 、 10.05 元", "1000本、0.30米、10.05元"),
        ("一点 2.0 5.0 米", "一点2 5米"),
        ("6.0 （ 1.0 ） 班", "6（1）班"),
        ("", ""),
    ],
)
def test_segmented_words_become_a_text_with_whole_floats_as_integers(segmented: str, joined: str) -> None:
    assert join_words(segmented) == joined


@pytest.mark.parametrize(
    ("written", "cut"),
    [
        ("80千米/小时", "80"),
        ("12.56cm2", "12.56"),
        ("5 ℃", "5"),
        ("(11-1)*2", "(11-1)*2"),
        ("[3*（4+1）]÷5%", "[3*（4+1）]÷5%"),
        ("3米+4米", "3米+4米"),
        ("5*N1", "5*N1"),
        ("约", ""),
    ],
)
def test_only_a_unit_at_the_end_is_cut(written: str, cut: str) -> None:
    assert cut_unit(written) == cut
