from .advice import (
    TIE_RULE as TIE_RULE,
)
from .advice import (
    advise as advise,
)
from .advice import (
    best_option as best_option,
)
from .advice import (
    hint as hint,
)
from .advice import (
    information_set as information_set,
)
from .advice import (
    optimal_strategy as optimal_strategy,
)
from .analyzer import (
    analyze as analyze,
)
from .analyzer import (
    analyze_game as analyze_game,
)
from .analyzer import (
    joint_result as joint_result,
)
from .analyzer import (
    side_result as side_result,
)
from .as_offered import (
    values_by_ante as values_by_ante,
)
from .business.paytable_design import (
    DesignGoal as DesignGoal,
)
from .business.paytable_design import (
    HitFrequencyOption as HitFrequencyOption,
)
from .business.paytable_design import (
    PaytableDesign as PaytableDesign,
)
from .business.paytable_design import (
    design_paytable as design_paytable,
)
from .business.paytable_design import (
    reachable_hit_frequencies as reachable_hit_frequencies,
)
from .business.player_sessions import (
    LossRebate as LossRebate,
)
from .business.player_sessions import (
    RiskOfRuin as RiskOfRuin,
)
from .business.player_sessions import (
    SessionResult as SessionResult,
)
from .business.player_sessions import (
    analyze_session as analyze_session,
)
from .business.prediction_intervals import (
    PredictionInterval as PredictionInterval,
)
from .business.prediction_intervals import (
    prediction_interval as prediction_interval,
)
from .business.progressive_meters import (
    MeterEconomics as MeterEconomics,
)
from .business.progressive_meters import (
    ProgressiveEconomics as ProgressiveEconomics,
)
from .business.progressive_meters import (
    progressive_economics as progressive_economics,
)
from .exposure.detection import (
    PlayerEvidence as PlayerEvidence,
)
from .exposure.detection import (
    RecordedDecision as RecordedDecision,
)
from .exposure.exposed_cards import (
    ExposureResult as ExposureResult,
)
from .exposure.exposed_cards import (
    analyze_exposure as analyze_exposure,
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
    Payoffs as Payoffs,
)
from .payoffs import (
    opening_stakes as opening_stakes,
)
from .payoffs import (
    payoffs_at as payoffs_at,
)
from .randomness.shuffle_tests import (
    Battery as Battery,
)
from .result_cache import (
    cached_main_distribution as cached_main_distribution,
)
from .results import (
    Analysis as Analysis,
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
from .results import (
    ValueAtAnte as ValueAtAnte,
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
    PeriodSummary as PeriodSummary,
)
from .simulation import (
    Simulation as Simulation,
)
from .simulation import (
    SummaryStatistics as SummaryStatistics,
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
    rank_options as rank_options,
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
    StrategyCost as StrategyCost,
)
from .strategies.cost import (
    strategy_cost as strategy_cost,
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
    practical_strategy as practical_strategy,
)
from .strategies.rule_search import (
    SearchResult as SearchResult,
)
from .strategies.rule_search import (
    search_rules as search_rules,
)
from .tallies import (
    EMPTY_TALLY as EMPTY_TALLY,
)
from .tallies import (
    FactsCounts as FactsCounts,
)
from .tallies import (
    RoundTally as RoundTally,
)
from .tallies import (
    build_solution as build_solution,
)
from .tallies import (
    tally_rounds as tally_rounds,
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
