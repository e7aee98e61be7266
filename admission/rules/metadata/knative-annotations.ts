// Of the annotations of a Capp itself those that Knative reads have values that it can read.
import {
  HTTP_PROTOCOLS,
  KNATIVE_ANNOTATIONS,
  KNATIVE_WRITES,
  NO_TLS,
  ROLLOUT_DURATIONS,
} from '../../../crds/knative/capp-annotations.ts';
import { isWholeSeconds } from '../../../crds/knative/go-duration.ts';
import { at } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { hasChanged } from '../../request.ts';
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
  return { problems: changed.flatMap((key) => problemOf(key, at(request.object, ...PATH, key))) };
};

function problemOf(key: string, text: unknown): Problem[] {
  const check = CHECKS.get(key);
  const message = check === undefined || typeof text !== 'string' ? null : check(text);
  return message === null ? [] : [problem(`${PATH.join('.')}[${key}]`, message)];
}
