# isort: skip_file

# House edges
from .analyzer import (
    analyze as analyze,
    analyze_game as analyze_game,
    joint_result as joint_result,
    side_result as side_result,
)
from .results import (
    Analysis as Analysis,
    ChartRow as ChartRow,
    CloseDecision as CloseDecision,
    MainResult as MainResult,
    StreetSummary as StreetSummary,
    ValueAtAnte as ValueAtAnte,
)
from .json_contract import (
    to_json as to_json,
)
from .values_at_ante import (
    values_by_ante as values_by_ante,
)
from .variants import (
    standard_house as standard_house,
    STANDARD_STAKE as STANDARD_STAKE,
    with_settings as with_settings,
)
from .result_cache import (
    cached_main_distribution as cached_main_distribution,
)

# Side wagers
from .side_wagers import (
    analyze_side_wager as analyze_side_wager,
    JointResult as JointResult,
    MeterWorth as MeterWorth,
    SideLine as SideLine,
    SideResult as SideResult,
)

# Solvers and advice
from .solution import (
    Advice as Advice,
    rank_options as rank_options,
    Solution as Solution,
    solve as solve,
    Strategy as Strategy,
)
from .strategies.situation import (
    explain as explain,
)
from .advice import (
    advise as advise,
    best_option as best_option,
    hint as hint,
    information_set as information_set,
    optimal_strategy as optimal_strategy,
    TIE_RULE as TIE_RULE,
)
from .result_builder import (
    build_solution as build_solution,
    EMPTY_TALLY as EMPTY_TALLY,
    FactsCounts as FactsCounts,
    RoundTally as RoundTally,
    tally_rounds as tally_rounds,
)
from .payoffs import (
    opening_stakes as opening_stakes,
    Payoffs as Payoffs,
    payoffs_at as payoffs_at,
)
from .parallel import (
    Progress as Progress,
)

# Strategies as rules
from .strategies.cost import (
    LineCost as LineCost,
    Mistake as Mistake,
    practical_cost as practical_cost,
    strategy_cost as strategy_cost,
    StrategyCost as StrategyCost,
)
from .strategies.rule_language import (
    Features as Features,
    parse_rules as parse_rules,
    practical_strategy as practical_strategy,
    Rule as Rule,
    RuleList as RuleList,
)
from .strategies.rule_search import (
    search_rules as search_rules,
    SearchResult as SearchResult,
)

# Sessions, meters and paytables
from .business.player_sessions import (
    analyze_session as analyze_session,
    LossRebate as LossRebate,
    RiskOfRuin as RiskOfRuin,
    SessionResult as SessionResult,
)
from .business.prediction_intervals import (
    prediction_interval as prediction_interval,
    PredictionInterval as PredictionInterval,
)
from .business.progressive_meters import (
    MeterEconomics as MeterEconomics,
    progressive_economics as progressive_economics,
    ProgressiveEconomics as ProgressiveEconomics,
)
from .business.paytable_design import (
    design_paytable as design_paytable,
    DesignGoal as DesignGoal,
    HitFrequencyOption as HitFrequencyOption,
    PaytableDesign as PaytableDesign,
    reachable_hit_frequencies as reachable_hit_frequencies,
)

# Exposed cards
from .exposure.exposed_cards import (
    analyze_exposure as analyze_exposure,
    ExposureResult as ExposureResult,
)
from .exposure.detection import (
    PlayerEvidence as PlayerEvidence,
    RecordedDecision as RecordedDecision,
    best_answers as best_answers,
    detector_streets as detector_streets,
    has_detector as has_detector,
    hidden_cards as hidden_cards,
)

# Simulation and randomness
from .simulation import (
    PeriodSummary as PeriodSummary,
    simulate as simulate,
    Simulation as Simulation,
    SummaryStatistics as SummaryStatistics,
    TableHours as TableHours,
)
from .randomness.shuffle_tests import (
    Battery as Battery,
)

# Hand evaluation
from .lookup_tables import (
    rank_hands as rank_hands,
)

__all__: list[str]
