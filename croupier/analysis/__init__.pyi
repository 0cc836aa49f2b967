from .advice import (
    TIES as TIES,
)
from .advice import (
    advise as advise,
)
from .advice import (
    at_table as at_table,
)
from .advice import (
    hint as hint,
)
from .advice import (
    play as play,
)
from .advice import (
    strategy as strategy,
)
from .analyzer import (
    analyze as analyze,
)
from .analyzer import (
    analyze_game as analyze_game,
)
from .analyzer import (
    played_together as played_together,
)
from .analyzer import (
    side_result as side_result,
)
from .as_offered import (
    by_ante as by_ante,
)
from .business.paytable_design import (
    Designed as Designed,
)
from .business.paytable_design import (
    DesignGoal as DesignGoal,
)
from .business.paytable_design import (
    Reach as Reach,
)
from .business.paytable_design import (
    design as design,
)
from .business.paytable_design import (
    reachable as reachable,
)
from .business.player_sessions import (
    Rebate as Rebate,
)
from .business.player_sessions import (
    Ruin as Ruin,
)
from .business.player_sessions import (
    Session as Session,
)
from .business.player_sessions import (
    session as session,
)
from .business.progressive_meters import (
    Business as Business,
)
from .business.progressive_meters import (
    MeterBusiness as MeterBusiness,
)
from .business.progressive_meters import (
    meter_business as meter_business,
)
from .business.win_bands import (
    Band as Band,
)
from .business.win_bands import (
    band as band,
)
from .exposure.detection import (
    RecordedDecision as RecordedDecision,
)
from .exposure.detection import (
    Watched as Watched,
)
from .exposure.exposed_cards import (
    Protected as Protected,
)
from .exposure.exposed_cards import (
    protect as protect,
)
from .json_contract import (
    to_json as to_json,
)
from .lookup_tables import (
    rank_hands as rank_hands,
)
from .parallel import (
    Progress as Progress,
)
from .payoffs import (
    Money as Money,
)
from .payoffs import (
    money_of as money_of,
)
from .payoffs import (
    opening_stakes as opening_stakes,
)
from .randomness.shuffle_tests import (
    Battery as Battery,
)
from .result_cache import (
    main_shares as main_shares,
)
from .results import (
    Analysis as Analysis,
)
from .results import (
    AtAnte as AtAnte,
)
from .results import (
    ChartRow as ChartRow,
)
from .results import (
    CloseDecision as CloseDecision,
)
from .results import (
    MainResult as MainResult,
)
from .results import (
    StreetSummary as StreetSummary,
)
from .side_wagers import (
    JointResult as JointResult,
)
from .side_wagers import (
    MeterWorth as MeterWorth,
)
from .side_wagers import (
    SideLine as SideLine,
)
from .side_wagers import (
    SideResult as SideResult,
)
from .side_wagers import (
    analyze_side_wager as analyze_side_wager,
)
from .simulation import (
    Simulation as Simulation,
)
from .simulation import (
    Span as Span,
)
from .simulation import (
    Spread as Spread,
)
from .simulation import (
    TableHours as TableHours,
)
from .simulation import (
    simulate as simulate,
)
from .solution import (
    Advice as Advice,
)
from .solution import (
    Solution as Solution,
)
from .solution import (
    Strategy as Strategy,
)
from .solution import (
    ranked as ranked,
)
from .solution import (
    solve as solve,
)
from .strategies.cost import (
    LineCost as LineCost,
)
from .strategies.cost import (
    Mistake as Mistake,
)
from .strategies.cost import (
    Priced as Priced,
)
from .strategies.cost import (
    price as price,
)
from .strategies.rule_language import (
    Features as Features,
)
from .strategies.rule_language import (
    Rule as Rule,
)
from .strategies.rule_language import (
    RuleList as RuleList,
)
from .strategies.rule_language import (
    parse_rules as parse_rules,
)
from .strategies.rule_language import (
    practical as practical,
)
from .strategies.rule_search import (
    SearchResult as SearchResult,
)
from .strategies.rule_search import (
    shortest as shortest,
)
from .tallies import (
    NOT_PLAYED as NOT_PLAYED,
)
from .tallies import (
    Met as Met,
)
from .tallies import (
    RoundTally as RoundTally,
)
from .tallies import (
    build_solution as build_solution,
)
from .tallies import (
    played as played,
)
from .variants import (
    STANDARD_STAKE as STANDARD_STAKE,
)
from .variants import (
    standard_house as standard_house,
)
from .variants import (
    with_settings as with_settings,
)

__all__: list[str]
