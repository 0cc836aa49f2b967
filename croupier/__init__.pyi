from .analysis import (
    advise as advise,
)
from .analysis import (
    analyze as analyze,
)
from .analysis import (
    analyze_game as analyze_game,
)
from .analysis import (
    solve as solve,
)
from .errors import (
    BadCards as BadCards,
)
from .errors import (
    BadInput as BadInput,
)
from .errors import (
    BadScenario as BadScenario,
)
from .errors import (
    BadSubmission as BadSubmission,
)
from .errors import (
    BadTerms as BadTerms,
)
from .errors import (
    CroupierError as CroupierError,
)
from .errors import (
    Refusal as Refusal,
)
from .errors import (
    Unknown as Unknown,
)
from .errors import (
    UnknownClause as UnknownClause,
)
from .errors import (
    UnknownGame as UnknownGame,
)
from .errors import (
    UnknownReading as UnknownReading,
)
from .games import (
    CATALOGUE as CATALOGUE,
)
from .games import (
    GAMES as GAMES,
)
from .games import (
    Game as Game,
)
from .games import (
    House as House,
)
from .games import (
    find as find,
)
from .ledger import (
    Ledger as Ledger,
)
from .ledger import (
    LedgerError as LedgerError,
)
from .submission import (
    build as build,
)
from .submission import (
    draft as draft,
)
from .submission import (
    example as example,
)
from .submission import (
    load as load,
)
from .table import (
    Account as Account,
)
from .table import (
    Envelope as Envelope,
)
from .table import (
    Round as Round,
)
from .table import (
    Shoe as Shoe,
)
from .table import (
    Table as Table,
)
from .table import (
    shown as shown,
)
from .table import (
    steps as steps,
)
from .table import (
    view as view,
)
from .table import (
    viewer_of as viewer_of,
)
from .table.commands import (
    DealCards as DealCards,
)
from .table.commands import (
    Decide as Decide,
)
from .table.commands import (
    NoMoreBets as NoMoreBets,
)
from .table.commands import (
    PlaceWagers as PlaceWagers,
)
from .table.commands import (
    Settle as Settle,
)
from .table.commands import (
    Showdown as Showdown,
)
from .table.commands import (
    ShowStreet as ShowStreet,
)

__all__: list[str]
__version__: str
