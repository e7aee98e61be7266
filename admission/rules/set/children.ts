// Checks the Capps that a CappSet would write, by the rules for Capps.
import { childName } from '../../../crds/set/child.ts';
import type { CappSetSpec } from '../../../crds/set/cappset.ts';
import {
  placeholdersIn,
  render,
  templateFor,
  variantOf,
  type Pattern,
  type SiteFacts,
} from '../../../crds/set/render.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { textAt } from '../../fields.ts';
import { WEBHOOK_TIMES } from '../../times.ts';
import type { HubKnowledge } from '../../known.ts';
import type { Request } from '../../request.ts';
import type { Problem, Rule } from '../../rule.ts';
import { autoscaling } from '../spec/autoscaling.ts';
import { hostname } from '../spec/hostname.ts';
import { pingSources } from '../spec/ping-sources.ts';
import { references } from '../spec/references.ts';
import { resources } from '../spec/resources.ts';
import { revisionName } from '../spec/revision-name.ts';
import { site } from '../spec/site.ts';
import { template } from '../spec/template.ts';
import { volumes } from '../spec/volumes.ts';

/** The first of them are enough to see what is wrong. */
const MOST_PROBLEMS = 5;
/** So that there is one Capp to check where no site is known. */
const SOME_SITE: SiteFacts = { cluster: 'site', labels: {} };

interface Found {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export function childProblems(request: Request, spec: CappSetSpec, known: HubKnowledge): Found {
  const pinned = (spec.sites?.clusters ?? []).flatMap((cluster, index) =>
    pinProblems(request, cluster, `spec.sites.clusters[${index}]`, known),
  );
  if (pinned.length > 0) return { problems: pinned.slice(0, MOST_PROBLEMS), warnings: [] };
  const problems: Problem[] = [];
  const variants = new Map<string, Variant>();
  const until = performance.now() + WEBHOOK_TIMES.variants.ms;
  let left = 0;
  for (const facts of sitesOf(spec, known)) {
    const key = variantOf(spec, facts.labels);
    const isNew = !variants.has(key);
    if (isNew && variants.size > 0 && performance.now() >= until) left += 1;
    else {
      const variant = variants.get(key) ?? variantFor(spec, facts);
      variants.set(key, variant);
      problems.push(...problemsOn(facts, variant, request, known));
      if (problems.length >= MOST_PROBLEMS) break;
    }
  }
  return { problems: problems.slice(0, MOST_PROBLEMS), warnings: left === 0 ? [] : [unchecked(left)] };
}

function problemsOn(facts: SiteFacts, variant: Variant, request: Request, known: HubKnowledge): Problem[] {
  const { isChecked, short, template: pattern } = variant;
  const little = render(short, facts);
  if ('missingLabel' in little) return [];
  const rendered = isChecked ? little : render({ template: pattern }, facts);
  if ('missingLabel' in rendered) return [];
  variant.isChecked = true;
  const rules: Rule[] = isChecked
    ? [hostname]
    : [hostname, resources, template, revisionName, volumes, autoscaling, pingSources, references];
  const child = asChild(request, facts.cluster, rendered.spec);
  return rules.flatMap((rule) => (rule(child, known).problems ?? []).map(inTemplate(facts.cluster)));
}

function unchecked(sites: number): string {
  return `The set is so large that its Capps on ${sites} sites are not checked now: each is when it is written.`;
}

/** What sites with the same overrides get: they differ in placeholders alone. */
interface Variant {
  readonly template: Pattern['template'];
  /**
   * The hostname, and what asks for labels: all that may differ between two sites and is looked at on each.
   */
  readonly short: Pattern;
  isChecked: boolean;
}

function variantFor(spec: CappSetSpec, { labels }: SiteFacts): Variant {
  const template = templateFor(spec, labels) as Pattern['template'];
  const names = new Set(placeholdersIn(template).map(({ name }) => `{{${name}}}`));
  const hostnameIn = textAt(template, 'spec', 'routeSpec', 'hostname');
  const short = {
    metadata: { annotations: { labels: [...names].join('') } },
    spec: { routeSpec: { hostname: hostnameIn } },
  } as unknown as Pattern['template'];
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

function pinProblems(request: Request, cluster: string, field: string, known: HubKnowledge): Problem[] {
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
function asChild(request: Request, cluster: string, spec: object): Request {
  const uid = textAt(request.object, 'metadata', 'uid');
  const owner = {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    name: request.name,
    uid,
    controller: true,
  };
  const name = childName(request.name, cluster);
  const metadata = { name, namespace: request.namespace, ownerReferences: [owner] };
  return { ...request, operation: 'CREATE', name, object: { metadata, spec }, oldObject: null };
}

function inTemplate(cluster: string): (problem: Problem) => Problem {
  return ({ field, message, ...rest }) => ({
    ...rest,
    field: field.replace(/^spec\./, 'spec.template.spec.'),
    message: `on ${cluster}, ${message}`,
  });
}
