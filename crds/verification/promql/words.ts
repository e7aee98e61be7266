// The words of PromQL that a check may use. What is not in these lists is refused, so what a later version of
// Prometheus adds reads nothing before somebody has looked at it.

/** In any case, as Prometheus takes them. */
export const AGGREGATES: ReadonlySet<string> = new Set([
  'avg',
  'bottomk',
  'count',
  'count_values',
  'group',
  'max',
  'min',
  'quantile',
  'stddev',
  'stdvar',
  'sum',
  'topk',
]);

export const WORD_OPERATORS: ReadonlySet<string> = new Set(['and', 'atan2', 'or', 'unless']);

/** Words of the grammar, in any case: none of them is the name of a metric here. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'anchored',
  'bool',
  'by',
  'end',
  'fill',
  'fill_left',
  'fill_right',
  'group_left',
  'group_right',
  'ignoring',
  'inf',
  'limit_ratio',
  'limitk',
  'nan',
  'offset',
  'on',
  'range',
  'smoothed',
  'start',
  'step',
  'without',
]);

export function isReserved(lower: string): boolean {
  return AGGREGATES.has(lower) || WORD_OPERATORS.has(lower) || KEYWORDS.has(lower);
}

/**
 * Functions of the samples that they are given. `info` is none of them: it reads series of its own accord,
 * of every namespace.
 */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  'abs',
  'absent',
  'absent_over_time',
  'avg_over_time',
  'ceil',
  'changes',
  'clamp',
  'clamp_max',
  'clamp_min',
  'count_over_time',
  'day_of_month',
  'day_of_week',
  'day_of_year',
  'days_in_month',
  'delta',
  'deriv',
  'exp',
  'floor',
  'histogram_avg',
  'histogram_count',
  'histogram_fraction',
  'histogram_quantile',
  'histogram_stddev',
  'histogram_stdvar',
  'histogram_sum',
  'hour',
  'idelta',
  'increase',
  'irate',
  'label_join',
  'label_replace',
  'last_over_time',
  'ln',
  'log10',
  'log2',
  'max_over_time',
  'min_over_time',
  'minute',
  'month',
  'predict_linear',
  'present_over_time',
  'quantile_over_time',
  'rate',
  'resets',
  'round',
  'scalar',
  'sgn',
  'sort',
  'sort_desc',
  'sqrt',
  'stddev_over_time',
  'stdvar_over_time',
  'sum_over_time',
  'time',
  'timestamp',
  'vector',
  'year',
]);
