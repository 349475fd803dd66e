"""service-agreement.pdf: a contract of three pages with numbered clauses."""

from collections.abc import Iterator

from page_layout import Frame, Line, Style, block, draw_centred, draw_right, pour
from pdf_writer import Page, Pdf

WIDTH = 456
LEFT = 78
BODY = Style(11.5, 17, "Times-Roman", before=6, justify=True)
CLAUSE = Style(11.5, 17, "Times-Roman", before=6, indent=18, justify=True)
HEADING = Style(12, 19, "Helvetica-Bold", before=12, keep=True)
SMALL = Style(8.5, 11)

TEXT = (
    "This Service Agreement is made on 2 May 2024 between Oakline Facilities Ltd, 40 Station "
    "Road, Anytown (the \u201cProvider\u201d), and Meadow Street Library Association, 3 Meadow "
    "Street, Anytown (the \u201cClient\u201d). The Provider and the Client are together the "
    "\u201cParties\u201d.",
    "#1. Definitions",
    "1.1 \u201cBuilding\u201d means the library at 3 Meadow Street, with its yard and its store, "
    "but not the dwelling on the second floor.",
    "1.2 \u201cBusiness Day\u201d means any day other than a Saturday, a Sunday or a public "
    "holiday in Anytown.",
    "1.3 \u201cFee\u201d means the monthly sum that is set out in clause 4.1.",
    "1.4 \u201cServices\u201d means the cleaning, heating supervision and grounds work that are "
    "described in Schedule 1, and any further work on which the Parties agree in writing.",
    "1.5 \u201cEmergency\u201d means an event that endangers persons, or that may cause damage of "
    "more than two thousand five hundred euro (EUR 2,500) unless it is dealt with at once.",
    "#2. Services",
    "2.1 The Provider shall perform the Services with reasonable skill and care and in accordance "
    "with the opening hours of the Building.",
    "2.2 The Provider shall attend the Building within four (4) hours after the Client has "
    "reported an Emergency, and within two (2) Business Days after any other report.",
    "2.3 The Provider shall not appoint a subcontractor without the prior written consent of the "
    "Client. Consent shall not be unreasonably withheld.",
    "2.4 The Provider shall not use cleaning agents that contain chlorine in the reading rooms.",
    "#3. Duties of the Client",
    "3.1 The Client shall give the Provider access to the Building from 06:00 to 22:00 on every "
    "Business Day, and shall name one person who is entitled to give instructions.",
    "3.2 The Client shall provide water and electricity free of charge. The Client is not obliged "
    "to provide storage for equipment.",
    "#4. Fee and payment",
    "4.1 The Client shall pay a Fee of four thousand one hundred and eighty euro (EUR 4,180.00) a "
    "month, exclusive of value added tax.",
    "4.2 The Provider shall invoice the Fee on the first Business Day of each month. Each invoice "
    "is due thirty (30) days after it has been received.",
    "4.3 If an invoice is not paid when due, interest accrues at a rate of five percent (5%) a "
    "year from the due date until payment. Interest does not accrue on a sum that the Client "
    "disputes in good faith.",
    "4.4 The Fee may be adjusted once in each calendar year, for the first time on 1 January 2026, "
    "by not more than the change in the consumer price index of the year before.",
    "#5. Term and termination",
    "5.1 This Agreement begins on 1 June 2024 and runs for an initial term of twenty-four (24) "
    "months. It is then extended by periods of twelve (12) months, unless either Party gives "
    "notice not less than ninety (90) days before the end of the current period.",
    "5.2 Either Party may terminate this Agreement with immediate effect if the other Party "
    "commits a material breach and does not remedy it within fourteen (14) days after written "
    "notice of the breach.",
    "5.3 The Client may not terminate this Agreement during the first six (6) months other than "
    "under clause 5.2.",
    "5.4 On termination the Provider shall return all keys within three (3) Business Days and "
    "shall remove its equipment within ten (10) Business Days.",
    "#6. Liability and insurance",
    "6.1 The Provider is liable for damage that its staff cause by negligence. Except in the case "
    "of death, personal injury or wilful misconduct, liability shall not exceed one hundred and "
    "fifty thousand euro (EUR 150,000) for each event and three hundred thousand euro (EUR "
    "300,000) in each calendar year.",
    "6.2 Neither Party is liable for loss of profit or for indirect loss.",
    "6.3 The Provider shall keep public liability insurance of not less than one million euro "
    "(EUR 1,000,000) in force and shall show the policy to the Client within seven (7) days after "
    "a request.",
    "#7. Confidentiality and data",
    "7.1 Each Party shall keep confidential what it learns about the affairs of the other, and "
    "shall not disclose it to third parties unless the law requires this. The duty continues for "
    "three (3) years after the end of this Agreement.",
    "7.2 The Provider shall not enter, copy or remove the records of library users. Staff of the "
    "Provider who find such records in the open shall hand them to the librarian on duty.",
    "#8. General",
    "8.1 Notices under this Agreement shall be in writing and are deemed to be received two (2) "
    "Business Days after posting. Notice by e-mail is not sufficient for termination.",
    "8.2 Neither Party may assign its rights without the written consent of the other.",
    "8.3 Changes to this Agreement are valid only if both Parties have signed them.",
    "8.4 If a provision is void, the other provisions remain in force.",
    "8.5 Neither Party is liable for a delay that is caused by flood, fire, strike or an order of "
    "a public authority, as long as the event lasts and was not foreseeable. If it lasts for more "
    "than sixty (60) days, either Party may terminate this Agreement by written notice.",
    "#Schedule 1: the Services",
    "(a) Cleaning of floors and sanitary rooms on five (5) evenings a week, and of windows four "
    "(4) times a year.",
    "(b) Supervision of the heating plant from October to April, with a reading of the meters on "
    "the last Business Day of each month.",
    "(c) Mowing of the yard every fourteen (14) days from May to September; clearing of snow "
    "before 07:30 on opening days.",
)


def draw() -> bytes:
    """Return the file."""
    pdf = Pdf({"Title": "Service Agreement, example", "Producer": "pdf_writer"})
    pages = [pdf.page() for _ in range(3)]
    for at, page in enumerate(pages):
        page.text(LEFT, 752, SMALL.size, "Service Agreement")
        draw_right(page, LEFT + WIDTH, 752, "Oakline Facilities / Meadow Street Library", SMALL)
        draw_centred(page, 306, 36, f"Page {at + 1} of 3", SMALL)
    draw_centred(pages[0], 306, 706, "SERVICE AGREEMENT", Style(17, 20, "Helvetica-Bold"))
    frame, y = pour((_block(text) for text in TEXT), _frames(pages))
    _signatures(frame.page, y - 44)
    return pdf.to_bytes()


def _block(text: str) -> list[Line]:
    """Set a heading, a numbered clause or an opening paragraph."""
    if text.startswith("#"):
        return block(text.removeprefix("#"), HEADING, WIDTH)
    numbered = text[0].isdigit() or text.startswith("(")
    return block(text, CLAUSE if numbered else BODY, WIDTH)


def _frames(pages: list[Page]) -> Iterator[Frame]:
    """Yield the text area of each page, below the title on the first."""
    for at, page in enumerate(pages):
        yield Frame(page, LEFT, 672 if at == 0 else 716, 76)


def _signatures(page: Page, y: float) -> None:
    """Draw two lines to sign on, with the names below."""
    for x, party in ((LEFT, "For the Provider"), (LEFT + 248, "For the Client")):
        page.line(x, y, x + 200, y)
        page.text(x, y - 13, 9, party)
