"""annual-report.pdf: three two-column pages out of a longer report, printed numbers 14 to 16."""

from collections.abc import Iterator

from page_layout import Frame, Style, block, draw_centred, draw_line, draw_right, pour
from pdf_writer import Page, Pdf

WIDTH = 240
COLUMNS = (54, 318)
TOP, BOTTOM = 716, 70
FIRST_PRINTED = 14
# Gaps are halves of the leading, so that lines of both columns share their baselines.
BODY = Style(11, 15.5, "Times-Roman", before=7.75, justify=True)
HEADING = Style(13, 15.5, "Helvetica-Bold", before=15.5, keep=True)
NOTE = Style(8, 10, "Times-Roman")
SMALL = Style(8.5, 11)
CAPTION = Style(8.5, 11, "Helvetica-Oblique")

TEXT = (
    "#Review of the year",
    "Larkfield Harbour Trust keeps two quays, a ferry slip and the dredged channel that joins "
    "them to the open sea. In 2024 the harbour handled 412,600 tonnes of cargo, 6.2 percent more "
    "than in the year before, and 1.31 million ferry passengers.{1} The growth came from timber "
    "and from build~ing stone; the ton~nage of animal feed fell for the third year in a row.",
    "Income from dues and charges rose to 9.84 million euro. Oper~at~ing costs rose more slowly, "
    "to 7.15 mil~lion euro, be~cause the new shore power plant replaced diesel gen~er~a~tors at "
    "the east quay from April onwards. The trust did not raise its tariff for small craft and "
    "does not plan to do so in 2025.",
    "A mild winter lifted the num~ber of working days at the stone berth to 338. The berth had "
    "been closed for 41 days in 2023, when ice and easterly winds stopped the barges for most of "
    "Feb~ru~ary. No vessel was turned away for lack of a berth during the summer season.",
    "#Dredging and the channel",
    "The autumn survey found that silt had gath~ered at the mouth of the chan~nel. At the "
    "shallowest point the depth was 5.7 metres at low water, against the 6.5 metres that the "
    "trust promises to ship~ping com~panies. Dredg~ing began on 4 November and restored the "
    "prom~ised depth within nineteen days. In all, 38,400 cubic metres were lifted and laid on "
    "the licensed ground north of the break~water.{2}",
    "The work cost 612,000 euro, which is 48,000 euro less than the budget. The saving is owed "
    "to calm weather and not to a smaller volume. Harbour users were told of the reduced depth "
    "by notice and by radio from the day on which the survey was read; two deep-draught vessels "
    "waited for the tide, and none was damaged.",
    "The trustees have since agreed to survey the channel twice a year. They expect that the "
    "second survey, together with the tide gauge that was set up at the pier head in October, "
    "will show a loss of depth early enough for dredg~ing to be planned within the ordinary "
    "budget, so that no part of the reserve fund of 2.4 million euro has to be touched.",
    "#Ferry slip",
    "The ferry slip carried 1.31 million passengers and 204,000 vehicles. Punct~u~al~ity "
    "improved: 96.1 percent of departures left within five minutes of the printed time, "
    "com~pared with 93.4 percent in 2023. The re~main~ing delays were due to fog on eleven days "
    "and to a failed ramp motor on 9 July, which kept the slip closed for six hours.",
    "The trust replaced both ramp motors in Sep~tem~ber. The old motors were thirty-one years "
    "old, and spare parts could no longer be bought. The new ones draw less power at start-up, "
    "carry a ten-year guar~an~tee and can be lowered by hand should the supply fail. The "
    "exchange cost 186,500 euro and was paid from the renewals account.",
    "#Cargo",
    "Timber was the largest cargo for the first time since 2016, with 148,300 tonnes. Build~ing "
    "stone fol~lowed with 121,900 tonnes and animal feed with 74,200 tonnes; all other goods "
    "together came to 68,200 tonnes. Figure 1 shows the cargo of the past five years.",
    "The out~look for timber is uncertain. Two sawmills have announced that they will move part "
    "of their trade to rail once the valley line is reopened, which is not expected before 2027. "
    "The trust has therefore opened talks with a maker of wind turbine blades who needs a quay "
    "with long-term storage under cover.",
    "#People and safety",
    "At the end of the year the trust em~ployed 64 people, three more than in 2023. There were "
    "two acci~dents that led to lost working time, neither of them with lasting injury. Every "
    "member of the quay staff took part in the man-overboard drill, which is held in March and "
    "in October with the volunteers of the rescue station.",
    "Six apprentices were in training. One of them, in the last year of a course in marine "
    "engin~eer~ing, wrote the plan for the shore power plant's maint~e~nance that the trust now "
    "uses. The trustees thank the staff for a year in which the port was open on every day on "
    "which the weather allowed it.",
    "#Environment",
    "Shore power cut the diesel burnt at the east quay by 71 percent. Noise com~plaints from the "
    "terraces above the harbour fell from 58 to 17. Water samples were taken at six points each "
    "month; of the 72 samples, one exceeded the bathing-water limit, after the storm of 22 "
    "August, and the beach was closed for two days.",
    "Birds nest on the outer breakwater from April to July. Work there is not allowed in those "
    "months, and none was done. A hide for visitors was built by the bird society on land that "
    "the trust lends free of charge.",
    "#Finances",
    "Harbour dues made up 71 percent of income, ferry charges 22 percent and rents 7 percent. "
    "The oper~at~ing surplus was 2.69 million euro, after 2.31 million euro in 2023. "
    "Depre~ci~a~tion of 1.12 million euro and interest of 0.24 million euro were charged against "
    "it, so that 1.33 million euro remained for the renewals account. Table 1 gives the figures "
    "of three years.",
    "The loan for the ferry slip was reduced to 5.6 million euro. It bears a fixed rate of 3.9 "
    "percent until June 2029. The trust has no other debts to banks, holds no shares, and does "
    "not speculate in fuel or in currencies. The auditors issued their opinion with~out "
    "qual~i~fi~ca~tion on 14 March 2025.",
    "In 2024 the coastal authority paid a grant of 350,000 euro towards the shore power plant. "
    "The grant must be repaid if the plant is taken out of service within ten years. The "
    "trustees do not expect this and have made no pro~vi~sion for it.",
    "#Tariff and users",
    "The tariff was discussed with the users' committee at four meetings. Yacht owners asked for "
    "a lower charge in winter; the trustees did not follow, since the cost of keeping the "
    "pontoons clear of ice falls in just those months. A discount of 5 percent was agreed for "
    "vessels that use shore power for more than sixty hours a month.",
    "Of the 214 berths for small craft, 209 were let at the end of the year. The waiting list "
    "was closed in May, when it held 96 names, and will be opened again in the spring of 2026. "
    "Visitors spent 7,350 nights in the harbour, 410 fewer than in the record year of 2023.",
    "#Trustees",
    "The board has nine trustees, three of whom are chosen by the users, three by the town and "
    "three by the coastal authority. It met eleven times. No trustee is paid; travel costs of "
    "4,120 euro were repaid on receipts. Two terms end in June 2025.",
    "#Events after the year's end",
    "On 21 January 2025 a barge touched the lamp at the end of the west quay. Nobody was hurt. "
    "The repair cost 23,000 euro, which the barge's insurer has agreed to pay, and the lamp was "
    "lit again after four nights.",
    "The town council voted on 11 Feb~ru~ary 2025 to extend the lease of the harbour land until "
    "the end of 2060. The yearly rent of 95,000 euro remains un~changed for the first ten years "
    "and will then follow the price index.",
    "#Looking ahead",
    "In 2025 the trust plans to spend 3.2 million euro. Half of that sum is for the north quay "
    "wall, where divers found 14 metres of washed-out joints; the rest is for the covered store, "
    "for paving and for a second tide gauge. No new borrowing is planned.",
    "The trustees judge that the main risks are a further fall in the feed trade, a hard winter "
    "and the price of dredging. They hold a reserve of 2.4 million euro against these risks, "
    "which is about four months of operating costs. On that ground they regard the trust as able "
    "to go on with its work for at least two years.",
)
NOTES = {
    0: (
        "1 Counted at the turnstiles; children under four are not counted.",
        "2 Licence of the coastal authority, valid until the end of 2028.",
    ),
}
FIGURES = (
    ("Million euro", "2024", "2023", "2022"),
    ("Income", "9.84", "9.12", "8.97"),
    ("Operating costs", "(7.15)", "(6.81)", "(6.60)"),
    ("Operating surplus", "2.69", "2.31", "2.37"),
    ("Net result", "1.33", "0.98", "(0.15)"),
)
CARGO = (("2020", 341.2), ("2021", 362.8), ("2022", 395.0), ("2023", 388.5), ("2024", 412.6))


def draw() -> bytes:
    """Return the file."""
    pdf = Pdf({"Title": "Larkfield Harbour Trust, Annual Report 2024", "Producer": "pdf_writer"})
    pages = [pdf.page() for _ in range(3)]
    for at, page in enumerate(pages):
        _running_lines(page, at)
        _notes(page, NOTES.get(at, ()))
    pages[0].text(54, 690, 24, "A year of deeper water", font="Helvetica-Bold")
    pages[0].text(54, 668, 11, "Report of the trustees for the year ended 31 December 2024")
    _figure(pages[1], 318, 540)
    _table(pages[2], 318, 706)
    blocks = (
        block(text.removeprefix("#"), HEADING if text.startswith("#") else BODY, WIDTH)
        for text in TEXT
    )
    pour(blocks, _frames(pages))
    pdf.page_labels([(0, "D", "", FIRST_PRINTED)])
    return pdf.to_bytes()


def _frames(pages: list[Page]) -> Iterator[Frame]:
    """Yield the columns in reading order, around the title, the notes and the figure."""
    for at, page in enumerate(pages):
        left_bottom = BOTTOM + (34 if NOTES.get(at) else 0)
        yield Frame(page, COLUMNS[0], 632 if at == 0 else TOP, left_bottom)
        right_top = (632, 483.5, 561)[at]
        yield Frame(page, COLUMNS[1], right_top, BOTTOM)


def _running_lines(page: Page, at: int) -> None:
    """Draw the header with its rule, and the footer with the printed page number."""
    page.text(54, 752, 8.5, "Larkfield Harbour Trust")
    draw_right(page, 558, 752, "Annual Report 2024", SMALL)
    page.line(54, 745, 558, 745)
    draw_centred(page, 306, 36, str(FIRST_PRINTED + at), SMALL)


def _notes(page: Page, notes: tuple[str, ...]) -> None:
    """Draw footnotes under a short rule at the foot of the left column."""
    if notes:
        page.line(54, 88, 134, 88)
    for at, note in enumerate(notes):
        marker, _, text = note.partition(" ")
        line = block(f"{{{marker}}} {text}", NOTE, WIDTH)[0]
        draw_line(page, 54, 77 - 11 * at, line)


def _figure(page: Page, x: float, y: float) -> None:
    """Draw the bar chart of cargo from x, y upwards, its caption below."""
    for at, (year, tonnes) in enumerate(CARGO):
        left = x + 14 + 45 * at
        height = tonnes * 0.34
        page.rect(left, y, 30, height, (0.24, 0.45, 0.62))
        draw_centred(page, left + 15, y + height + 4, f"{tonnes}", SMALL)
        draw_centred(page, left + 15, y - 12, year, SMALL)
    page.line(x, y, x + WIDTH, y)
    caption = "Figure 1. Cargo handled, in thousand tonnes, 2020 to 2024."
    page.text(x, y - 29, CAPTION.size, caption, font=CAPTION.font)


def _table(page: Page, x: float, top: float) -> None:
    """Draw the ruled table of figures down from x, top, its caption above."""
    page.text(x, top + 7, CAPTION.size, "Table 1. Figures of three years.", font=CAPTION.font)
    edges = (x, x + 102, x + 148, x + 194, x + WIDTH)
    for at, row in enumerate(FIGURES):
        y = top - 20 * at
        page.line(x, y, x + WIDTH, y, 0.4)
        page.text(x + 5, y - 13, 9, row[0], font="Helvetica" if at else "Helvetica-Bold")
        for right, cell in zip(edges[2:], row[1:], strict=True):
            cell_style = Style(9, 11, "Helvetica" if at else "Helvetica-Bold")
            draw_right(page, right - 6, y - 13, cell, cell_style)
    bottom = top - 20 * len(FIGURES)
    page.line(x, bottom, x + WIDTH, bottom, 0.4)
    for edge in edges:
        page.line(edge, top, edge, bottom, 0.4)
