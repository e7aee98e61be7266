// Checks the Capps that a CappSet would write, by the rules for Capps.
import { childName } from '../../../crds/set/child.ts';
import type { CappSetSpec } from '../../../crds/set/cappset.ts';
import { render, templateFor, type SiteFacts } from '../../../crds/set/render.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { textAt } from '../../fields.ts';
import type { Known } from '../../known.ts';
import type { Request } from '../../request.ts';
import type { Problem, Rule } from '../../rule.ts';
import { hostname } from '../spec/hostname.ts';
import { references } from '../spec/references.ts';
import { resources } from '../spec/resources.ts';
import { site } from '../spec/site.ts';

/** The first of them are enough to see what is wrong. */
const MOST_PROBLEMS = 5;
/** So that there is one Capp to check where no site is known. */
const SOME_SITE: SiteFacts = { cluster: 'site', labels: {} };

export function childProblems(request: Request, spec: CappSetSpec, known: Known): Problem[] {
  const pinned = (spec.sites?.clusters ?? []).flatMap((cluster, index) =>
    pinProblems(request, cluster, `spec.sites.clusters[${index}]`, known),
  );
  if (pinned.length > 0) return pinned.slice(0, MOST_PROBLEMS);
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const facts of sitesOf(spec, known)) {
    const rendered = render(spec, facts);
    if ('missingLabel' in rendered) continue;
    const variant = JSON.stringify(templateFor(spec, facts.labels));
    const rules: Rule[] = seen.has(variant) ? [hostname] : [hostname, resources, references];
    seen.add(variant);
    const child = asChild(request, facts.cluster, rendered.spec);
    for (const rule of rules)
      problems.push(...(rule(child, known).problems ?? []).map(inTemplate(facts.cluster)));
    if (problems.length >= MOST_PROBLEMS) break;
  }
  return problems.slice(0, MOST_PROBLEMS);
}

/** Of a Placement nobody knows here which sites it selects: all are checked that a Capp may be pinned to. */
function sitesOf({ sites }: CappSetSpec, known: Known): SiteFacts[] {
  const chosen = sites?.clusters;
  const facts = known
    .sites()
    .filter(({ name, isHub, mayPin }) => (chosen === undefined ? mayPin && !isHub : chosen.includes(name)))
    .map(({ name, labels = {} }) => ({ cluster: name, labels }));
  return facts.length === 0 ? [SOME_SITE] : facts;
}

function pinProblems(request: Request, cluster: string, field: string, known: Known): Problem[] {
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
