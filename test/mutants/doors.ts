// Faults in what strangers, tenants and sites may have at the doors: hostnames, plans, texts.
import type { Mutant } from './mutant.ts';

const HOSTNAMES: readonly Mutant[] = [
  {
    breaks: 'a stranger’s request refuses a hostname to its owner',
    file: 'workers/webhook/answer.ts',
    inside: 'proven',
    text: 'isPassing !== true',
    becomes: 'true',
    seenBy: ['test/unit/webhook/answer.test.ts'],
  },
  {
    breaks: 'two Capps that are created at one moment get one hostname',
    file: 'workers/webhook/answer.ts',
    inside: 'settled',
    text: 'found !== null && hasWaited ?',
    becomes: 'found !== null ?',
    seenBy: ['test/unit/webhook/answer.test.ts'],
  },
  {
    breaks: 'claims on hostnames are kept without a bound',
    file: 'admission/pending.ts',
    inside: 'notes',
    text: 'until > now && known.size < MOST_PENDING',
    becomes: 'until > now',
    seenBy: ['test/unit/admission/review.test.ts'],
  },
  {
    breaks: 'a namespace is as good as one whose name it begins with',
    file: 'crds/hub/domains.ts',
    inside: 'isNamed',
    text: 'namespace === pattern',
    becomes: 'namespace.startsWith(pattern)',
    seenBy: ['test/unit/crds/domains.test.ts'],
  },
  {
    breaks: 'who has a domain has all that is reserved within it',
    file: 'crds/hub/domains.ts',
    inside: 'closedDomain',
    text: 'weightOf(b.domain) - weightOf(a.domain)',
    becomes: 'weightOf(a.domain) - weightOf(b.domain)',
    seenBy: ['test/unit/crds/domains.test.ts'],
  },
  {
    breaks: 'a domain is escaped by leaving the zone out',
    file: 'admission/rules/spec/hostname.ts',
    inside: null,
    text: '...closed(whole, request, known)',
    becomes: '...closed(wanted, request, known)',
    seenBy: ['test/unit/admission/tenants.test.ts'],
  },
  {
    breaks: 'Capps are not rung when their domain is closed',
    file: 'bridge/changes/names.ts',
    inside: 'specsOf',
    text: 'previous?.spec : undefined, object.spec',
    becomes: 'object.spec : undefined, object.spec',
    seenBy: ['test/unit/bridge/changes/names.test.ts'],
  },
];

const CALLERS: readonly Mutant[] = [
  {
    breaks: 'a Drain that was deleted keeps others waiting',
    file: 'workers/webhook/sides.ts',
    inside: 'settleDrains',
    text: "drains.settle('', object.metadata.name)",
    becomes: 'undefined',
    seenBy: ['test/unit/webhook/sides.test.ts'],
  },
  {
    breaks: 'two dry runs that begin at one moment close the last two sites',
    file: 'workers/webhook/sides.ts',
    inside: 'settleDrains',
    text: 'if (isDraining(object)) ',
    becomes: '',
    seenBy: ['test/unit/webhook/sides.test.ts'],
  },
  {
    breaks: 'an edit without annotations is nobody’s: one rule makes the annotations over those of another',
    file: 'admission/router.ts',
    inside: 'inTurn',
    text: 'object = applied(object, result.patches ?? []);',
    becomes: '',
    seenBy: ['test/unit/admission/capp/mutation.test.ts'],
  },
  {
    breaks: 'a tenant writes where the hub has put copies of his Capp',
    file: 'admission/rules/metadata/noted-copies.ts',
    inside: null,
    text: "operation !== 'UPDATE'",
    becomes: "operation === 'UPDATE'",
    seenBy: ['test/unit/admission/capp/mutation.test.ts'],
  },
  {
    breaks: 'any client certificate of the authority is that of an API server',
    file: 'workers/webhook/door/clients.ts',
    inside: 'isClient',
    text: 'names.length === 0 ||',
    becomes: 'true ||',
    seenBy: ['test/unit/webhook/clients.test.ts'],
  },
  {
    breaks: 'who has no client certificate is let in',
    file: 'workers/webhook/door/clients.ts',
    inside: 'asked',
    text: 'rejectUnauthorized: true',
    becomes: 'rejectUnauthorized: false as true',
    seenBy: ['test/unit/webhook/clients.test.ts'],
  },
  {
    breaks: 'a set has a priority that its Capps could not have',
    file: 'admission/rules/set/template.ts',
    inside: 'priorities',
    text: 'priorityFault(text)',
    becomes: 'null',
    seenBy: ['test/unit/admission/tenants.test.ts'],
  },
];

/** Seen by the table of long lists. */
const OF_LISTS = { seenBy: ['test/unit/admission/worst-texts.test.ts'] };

const LISTS: readonly Mutant[] = [
  {
    breaks: 'who has a spec that is too long can change nothing else of the Capp',
    file: 'admission/longest.ts',
    inside: 'tooLong',
    text: "if (!hasChanged(request, 'spec')) return null;",
    becomes: '',
    ...OF_LISTS,
  },
  {
    breaks: 'an answer names every problem, and is many times as long as the question',
    file: 'admission/review.ts',
    inside: 'answer',
    text: 'problems.slice(0, MOST_PROBLEMS)',
    becomes: 'problems',
    ...OF_LISTS,
  },
  {
    breaks: 'an answer says again all that was asked',
    file: 'admission/review.ts',
    inside: 'cut',
    text: 'text.length > longest',
    becomes: 'text.length > Infinity',
    ...OF_LISTS,
  },
  {
    breaks: 'every site that a Bundle names is looked for',
    file: 'admission/rules/bundle.ts',
    inside: 'sites',
    text: 'wanted.length > MOST_CLUSTERS',
    becomes: 'wanted.length > Infinity',
    seenBy: ['test/unit/admission/bundle.test.ts'],
  },
  {
    breaks: 'all ends of a long pattern are tried',
    file: 'admission/patterns.ts',
    inside: 'positionOf',
    text: 'text.length > LONGEST_SEARCHED',
    becomes: 'text.length > Infinity',
    seenBy: ['test/unit/admission/hub.test.ts'],
  },
];

const HELD: readonly Mutant[] = [
  {
    breaks: 'a page of a list is as long as what tenants and sites have stored',
    file: 'kube/watch/list.ts',
    inside: 'pageOf',
    text: '{ ...options, mostBytes: MOST_OF_PAGE }',
    becomes: 'options',
    seenBy: ['test/unit/kube/list.test.ts'],
  },
  {
    breaks: 'all of every object stays until a list is whole',
    file: 'kube/watch/list.ts',
    inside: 'pages',
    text: 'keep(withKind(resource, item))',
    becomes: 'withKind(resource, item)',
    seenBy: ['test/unit/kube/list.test.ts'],
  },
  {
    breaks: 'what is kept of an object of a list is reduced a second time',
    file: 'kube/watch/store.ts',
    inside: null,
    text: 'this.#prepared.has(object) ? object : this.#transform(object)',
    becomes: 'this.#transform(object)',
    seenBy: ['test/unit/kube/store.test.ts'],
  },
  {
    breaks: 'a cache keeps every annotation that a site writes',
    file: 'crds/kubernetes/slim.ts',
    inside: 'bounded',
    text: 'lengthOf(entry) <= left',
    becomes: 'left <= MOST_TEXT',
    seenBy: ['test/unit/crds/slim.test.ts'],
  },
  {
    breaks: 'connections on which nobody asks anything keep an API server out',
    file: 'tls/oldest-goes.ts',
    inside: 'oldestGoes',
    text: 'held.size > most',
    becomes: 'held.size > Infinity',
    seenBy: ['test/unit/webhook/connections.test.ts', 'test/unit/gateway/connections.test.ts'],
  },
  {
    breaks: 'a connection is ended before its question is answered',
    file: 'workers/webhook/door/room.ts',
    inside: 'connections',
    text: 'strangers.take(peer) ?? resting.take(peer)',
    becomes: '(undefined as Socket | undefined)',
    seenBy: ['test/unit/webhook/connections.test.ts'],
  },
  {
    breaks: 'who has been answered once may hold as many connections as he likes',
    file: 'workers/webhook/door/room.ts',
    inside: 'connections',
    text: 'if (taken?.destroyed === false)',
    becomes: 'if (taken === null)',
    seenBy: ['test/unit/webhook/connections.test.ts'],
  },
  {
    breaks: 'a ConfigMap of many documents holds the hub worker until it is read',
    file: 'activities/hub/bundle/manifests/load.ts',
    inside: 'objectsIn',
    text: 'await breathe();',
    becomes: '',
    seenBy: ['test/unit/hub/bundle/worst/sources.test.ts'],
  },
  {
    breaks: 'a document of any length is read at once',
    file: 'kube/files/read.ts',
    inside: 'fromYaml',
    text: 'chunk.text.length > most',
    becomes: 'chunk.text.length > Infinity',
    seenBy: ['test/unit/hub/bundle/worst/sources.test.ts'],
  },
];

const WORK: readonly Mutant[] = [
  {
    breaks: 'a quantity of digits is read in time that grows with the square of its length',
    file: 'crds/kubernetes/quantity.ts',
    inside: null,
    text: String.raw`\d+(?:\.\d*)?|`,
    becomes: String.raw`\d+\.?\d*|`,
    seenBy: ['test/unit/admission/worst-texts.test.ts'],
  },
  {
    breaks: 'all that a site says of a work is looked at, however much it is',
    file: 'activities/hub/bundle/status/seen.ts',
    inside: 'stateOf',
    text: 'if (refused.length === MOST_FAILING) break;',
    becomes: '',
    seenBy: ['test/unit/hub/bundle/worst/works.test.ts'],
  },
];

export const DOORS: readonly Mutant[] = [...HOSTNAMES, ...CALLERS, ...LISTS, ...HELD, ...WORK];
