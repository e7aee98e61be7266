// Checks the Capps that a CappSet would write, by the rules for Capps.
import { childName } from '../../../crds/set/child.ts';
import { CAPP_SET, CappSetSpec } from '../../../crds/set/cappset.ts';
import {
  placeholdersIn,
  render,
  templateFor,
  variantOf,
  type RevisionContent,
  type RenderedChild,
  type SiteFacts,
} from '../../../crds/set/render.ts';
import { at, textAt } from '../../fields.ts';
import { WEBHOOK_TIMES } from '../../times.ts';
import type { HubKnowledge } from '../../known.ts';
import type { AdmissionRequest } from '../../request.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hostname } from '../spec/hostname.ts';
import { queries } from '../spec/queries.ts';
import { references } from '../spec/references.ts';
import { site } from '../spec/site.ts';
import { addedSites } from './placements.ts';
import { WORKLOAD } from '../spec/workload.ts';

/** The first of them are enough to see what is wrong. */
const MOST_PROBLEMS = 5;
/** So that there is one Capp to check where no site is known. */
const SOME_SITE: SiteFacts = { cluster: 'site', labels: {} };

/** Beside that for hostnames, which each of the Capps is asked about. */
const RULES: readonly AdmissionRule[] = [...WORKLOAD, references, queries];

interface Found {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

const NOTHING: Found = { problems: [], warnings: [] };

export function childProblems(request: AdmissionRequest, spec: CappSetSpec, known: HubKnowledge): Found {
  const pinned = pinFaults(request, known);
  if (pinned.length > 0) return { problems: pinned, warnings: [] };
  const problems: Problem[] = [];
  const warnings = new Set<string>();
  const variants = new Map<string, Variant>();
  const former = formerOf(request);
  const until = performance.now() + WEBHOOK_TIMES.variants.ms;
  let left = 0;
  for (const facts of sitesOf(spec, known)) {
    const key = variantOf(spec, facts.labels);
    const isNew = !variants.has(key);
    if (isNew && variants.size > 0 && performance.now() >= until) left += 1;
    else {
      const variant = variants.get(key) ?? variantFor(spec, facts);
      variants.set(key, variant);
      const found = foundOn(facts, variant, former, { request, known });
      problems.push(...found.problems);
      for (const warning of found.warnings) warnings.add(warning);
      if (problems.length >= MOST_PROBLEMS) break;
    }
  }
  if (left > 0) warnings.add(unchecked(left));
  return { problems: problems.slice(0, MOST_PROBLEMS), warnings: [...warnings] };
}

function foundOn(facts: SiteFacts, variant: Variant, former: Former, asking: Asking): Found {
  const { request, known } = asking;
  const { isChecked, short, template: pattern } = variant;
  const little = render(short, facts);
  if ('missingLabel' in little) return NOTHING;
  const rendered = isChecked ? little : render({ template: pattern }, facts);
  if ('missingLabel' in rendered) return NOTHING;
  const { cluster } = facts;
  const created = asChild(request, cluster, rendered);
  const results = [hostname(created, known)];
  if (!isChecked) {
    variant.isChecked = true;
    const edited = { ...created, ...former(facts) };
    results.push(...RULES.map((rule) => rule(edited, known)));
  }
  return {
    problems: results.flatMap(({ problems = [] }) => problems).map(inTemplate(cluster)),
    warnings: results.flatMap(({ warnings = [] }) => warnings).map((warning) => `On ${cluster}, ${warning}`),
  };
}

interface Asking {
  readonly request: AdmissionRequest;
  readonly known: HubKnowledge;
}

/** The Capp that the set had on the site before: what was so stays, as in an edit of a Capp. */
type Former = (facts: SiteFacts) => Partial<Pick<AdmissionRequest, 'operation' | 'oldObject'>>;

function formerOf(request: AdmissionRequest): Former {
  const { success, data } = CappSetSpec.safeParse(at(request.oldObject, 'spec'));
  if (!success) return () => ({});
  return (facts) => {
    const rendered = render(data, facts);
    return 'missingLabel' in rendered
      ? {}
      : { operation: 'UPDATE', oldObject: asChild(request, facts.cluster, rendered).object };
  };
}

function unchecked(sites: number): string {
  return `The set is so large that its Capps on ${sites} sites are not checked now: each is when it is written.`;
}

/** What sites with the same overrides get: they differ in placeholders alone. */
interface Variant {
  readonly template: RevisionContent['template'];
  /**
   * The hostname, and what asks for labels: all that may differ between two sites and is looked at on each.
   */
  readonly short: RevisionContent;
  isChecked: boolean;
}

function variantFor(spec: CappSetSpec, { labels }: SiteFacts): Variant {
  const template = templateFor(spec, labels) as RevisionContent['template'];
  const names = new Set(placeholdersIn(template).map(({ name }) => `{{${name}}}`));
  const hostnameIn = textAt(template, 'spec', 'routeSpec', 'hostname');
  const short = {
    metadata: { annotations: { labels: [...names].join('') } },
    spec: { routeSpec: { hostname: hostnameIn } },
  } as unknown as RevisionContent['template'];
  return { template, short: { template: short }, isChecked: false };
}

/** Of a Placement nobody knows here which sites it selects: all are checked that a Capp may be pinned to. */
function sitesOf({ sites }: CappSetSpec, known: HubKnowledge): SiteFacts[] {
  const chosen = sites?.clusters;
  const facts = known
    .sites()
    .filter(({ name, isHub, mayPin }) => (chosen === undefined ? mayPin && !isHub : chosen.includes(name)))
    .map(({ name, labels = {} }) => ({ cluster: name, labels }));
  return facts.length === 0 ? [SOME_SITE] : facts;
}

/** The first of them. All sites are read once. */
function pinFaults(request: AdmissionRequest, known: HubKnowledge): Problem[] {
  const all = known.sites();
  const problems: Problem[] = [];
  for (const { name, field } of addedSites(request)) {
    if (problems.length >= MOST_PROBLEMS) break;
    problems.push(...pinProblems(request, String(name), field, { ...known, sites: () => all }));
  }
  return problems.slice(0, MOST_PROBLEMS);
}

function pinProblems(
  request: AdmissionRequest,
  cluster: string,
  field: string,
  known: HubKnowledge,
): Problem[] {
  const asked = {
    ...request,
    operation: 'CREATE' as const,
    object: { spec: { site: cluster } },
    oldObject: null,
  };
  const isPlacement = known.config?.placements.includes(cluster) === true;
  const found = site(
    asked,
    isPlacement && known.config !== null ? { ...known, config: { ...known.config, placements: [] } } : known,
  );
  return (found.problems ?? []).map((problem) => ({ ...problem, field }));
}

/** With the set's own uid, so that its Capps are no rivals for a hostname. */
function asChild(
  request: AdmissionRequest,
  cluster: string,
  { labels, annotations, spec }: RenderedChild,
): AdmissionRequest {
  const uid = textAt(request.object, 'metadata', 'uid');
  const owner = {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    name: request.name,
    uid,
    controller: true,
  };
  const name = childName(request.name, cluster);
  const metadata = { name, namespace: request.namespace, labels, annotations, ownerReferences: [owner] };
  return { ...request, operation: 'CREATE', name, object: { metadata, spec }, oldObject: null };
}

function inTemplate(cluster: string): (problem: Problem) => Problem {
  return ({ field, message, ...rest }) => ({
    ...rest,
    field: `spec.template.${field}`,
    message: `on ${cluster}, ${message}`,
  });
}
