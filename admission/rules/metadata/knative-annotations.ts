// Of the annotations of a Capp itself those that Knative reads have values that it can read, and lead nobody
// astray.
import {
  HTTP_PROTOCOLS,
  INGRESS_CLASSES,
  KNATIVE_ANNOTATIONS,
  KNATIVE_WRITES,
  NO_TLS,
  ROLLOUT_DURATIONS,
} from '../../../crds/knative/capp-annotations.ts';
import { isWholeSeconds } from '../../../crds/knative/go-duration.ts';
import { isPrivate } from '../../../crds/knative/visibility.ts';
import { at, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { noDuration, problem, quoted } from '../spec/pod/found.ts';

const PATH = ['metadata', 'annotations'] as const;

/** What is wrong with a value; null for one that Knative can read. */
type Check = (text: string) => string | null;

const duration: Check = (text) => (text === '' || isWholeSeconds(text) ? null : noDuration(text));
const protocol: Check = (text) =>
  text === '' || /^(enabled|redirected)$/i.test(text)
    ? null
    : `${quoted(text)} is nothing that Knative knows: write Enabled or Redirected`;
/** As strconv.ParseBool reads it. */
const truth: Check = (text) =>
  text === '' || /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(text)
    ? null
    : `${quoted(text)} is neither true nor false: write one of them`;
const knatives: Check = () => 'Knative writes it itself, and refuses every other value: take it out';

const CHECKS: ReadonlyMap<string, Check> = new Map(
  (
    [
      [KNATIVE_WRITES, knatives],
      [ROLLOUT_DURATIONS, duration],
      [HTTP_PROTOCOLS, protocol],
      [NO_TLS, truth],
    ] as const
  ).flatMap(([names, check]) => names.map((name) => [name, check] as const)),
);

export const knativeAnnotations: AdmissionRule<Common> = (request) => {
  const changed = KNATIVE_ANNOTATIONS.filter(
    (key) => at(request.object, ...PATH, key) !== undefined && hasChanged(request, ...PATH, key),
  );
  const problems = changed.flatMap((key) => problemOf(key, at(request.object, ...PATH, key)));
  return { problems, warnings: ofHostname(request) };
};

function problemOf(key: string, text: unknown): Problem[] {
  const check = CHECKS.get(key);
  const message = check === undefined || typeof text !== 'string' ? null : check(text);
  return message === null ? [] : [problem(`${PATH.join('.')}[${key}]`, message)];
}

const HOSTNAME = ['spec', 'routeSpec', 'hostname'] as const;
const TLS = ['spec', 'routeSpec', 'tlsEnabled'] as const;

/** What the author of a hostname may take to hold for it, and does not. */
function ofHostname(request: AdmissionRequest): string[] {
  const { object } = request;
  const asked = { metadata: at(object, 'metadata') ?? {}, spec: at(object, 'spec') ?? {} };
  // Whoever has made it private is told that its hostname leads nowhere.
  const isLed = textAt(object, ...HOSTNAME) !== '' && !isPrivate(asked as Parameters<typeof isPrivate>[0]);
  return isLed ? [...unredirected(request), ...unclassed(request)] : [];
}

/** No hostname is led to HTTPS that nobody serves. */
function unredirected(request: AdmissionRequest): string[] {
  const { object } = request;
  const key = HTTP_PROTOCOLS.find((one) => at(object, ...PATH, one) !== undefined);
  if (key === undefined || textAt(object, ...PATH, key).toLowerCase() !== 'redirected') return [];
  if (at(object, ...TLS) === true) return [];
  if (![[...PATH, key], HOSTNAME, TLS].some((path) => hasChanged(request, ...path))) return [];
  return [
    `${PATH.join('.')}[${key}] does not hold for spec.routeSpec.hostname, which answers by plain HTTP while it has no certificate: set spec.routeSpec.tlsEnabled.`,
  ];
}

/** A hostname's DNS record leads to the one ingress that its site names. */
function unclassed(request: AdmissionRequest): string[] {
  const key = INGRESS_CLASSES.find((one) => at(request.object, ...PATH, one) !== undefined);
  if (key === undefined) return [];
  if (![[...PATH, key], HOSTNAME].some((path) => hasChanged(request, ...path))) return [];
  return [
    `${PATH.join('.')}[${key}] does not hold for spec.routeSpec.hostname, which leads to the ingress of the whole site: leave the hostname out where nobody is to reach the Capp there.`,
  ];
}
