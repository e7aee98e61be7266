// Faults in the queries of checks: what would read series of other namespaces, or open a gate by nothing.
import type { Mutant } from '../mutant.ts';

const PROMQL = ['test/unit/verification/promql.test.ts'];
const METRICS = ['test/unit/agent/metrics.test.ts'];

export const QUERIES: readonly Mutant[] = [
  {
    breaks: 'a query reads series of every namespace',
    file: 'crds/verification/promql/selector.ts',
    inside: 'selector',
    text: '  matchers.push(`namespace="${reading.within.namespace}"`);\n',
    becomes: '',
    seenBy: PROMQL,
  },
  {
    breaks: 'a selector that names a namespace itself is left as it is',
    file: 'crds/verification/promql/selector.ts',
    inside: 'selector',
    text: '  matchers.push(`namespace="${reading.within.namespace}"`);\n',
    becomes:
      '  if (!matchers.some((one) => one.startsWith(\'namespace\'))) matchers.push(`namespace="${reading.within.namespace}"`);\n',
    seenBy: PROMQL,
  },
  {
    breaks: 'what stands behind a query that was read is asked with it',
    file: 'crds/verification/promql/confine.ts',
    inside: 'written',
    text: "  if (reading.next().is !== 'end') throw unread(reading);\n",
    becomes: '',
    seenBy: PROMQL,
  },
  {
    breaks: 'any function may be called, also those that read series by themselves',
    file: 'crds/verification/promql/confine.ts',
    inside: 'call',
    text: '!FUNCTIONS.has(name)',
    becomes: 'false',
    seenBy: PROMQL,
  },
  {
    breaks: 'a text of a query may have a backslash, and end where nobody sees it',
    file: 'crds/verification/promql/tokens.ts',
    inside: null,
    text: `"[^"\\\\]*"`,
    becomes: `"[^"]*"`,
    seenBy: PROMQL,
  },
  {
    breaks: 'a query is nested as deeply as one likes',
    file: 'crds/verification/promql/confine.ts',
    inside: 'expression',
    text: 'reading.depth > DEEPEST',
    becomes: 'false',
    seenBy: PROMQL,
  },
  {
    breaks: 'a namespace that is no name ends the text in which it stands',
    file: 'crds/verification/promql/confine.ts',
    inside: 'confined',
    text: '    checkNames(within);\n',
    becomes: '',
    seenBy: PROMQL,
  },
  {
    breaks: 'a query without a result is a success, whatever empty says',
    file: 'activities/agent/verify/query.ts',
    inside: 'judged',
    text: ' && numbers.length > 0',
    becomes: '',
    seenBy: METRICS,
  },
  {
    breaks: 'a sample that is NaN counts as none, whatever empty says',
    file: 'activities/agent/verify/query.ts',
    inside: 'judged',
    text: 'known.length === numbers.length',
    becomes: 'known.length > 0',
    seenBy: METRICS,
  },
  {
    breaks: 'one sample of several decides',
    file: 'activities/agent/verify/query.ts',
    inside: 'judged',
    text: 'known.some(',
    becomes: 'known.slice(0, 1).some(',
    seenBy: METRICS,
  },
  {
    breaks: 'the credentials for Prometheus go over the network as they are',
    file: 'activities/agent/verify/query.ts',
    inside: 'measureMetrics',
    text: '!place.isTls',
    becomes: 'false',
    seenBy: ['test/unit/agent/prometheus.test.ts'],
  },
  {
    breaks: 'an agent of an earlier version takes a query for a request to the app',
    file: 'workflows/capp/verifier.ts',
    inside: null,
    text: 'hasMetrics(order.checks) ?',
    becomes: 'order.checks.length === 0 ?',
    seenBy: ['test/unit/capp/verifier.test.ts'],
  },
  {
    breaks: 'a query that no agent asks is taken',
    file: 'admission/rules/spec/queries.ts',
    inside: 'queryProblems',
    text: "query === '' ? null : queryFault(query)",
    becomes: 'null',
    seenBy: ['test/unit/admission/queries.test.ts'],
  },
];
