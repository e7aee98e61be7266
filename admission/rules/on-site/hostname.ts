// A hostname on a site is a full name once the site's zone is added, outside of the cluster's own domain,
// allowed by the CappConfig, and not taken.
import { canonicalHostname } from '../../../crds/capp/hostname.ts';
import { routeName } from '../../../crds/capp/route-name.ts';
import { textAt } from '../../fields.ts';
import type { SiteKnown } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';
import { inside, problem, heldByAnother } from '../spec/hostname.ts';

const PATH = ['spec', 'routeSpec', 'hostname'] as const;

export const siteHostname: AdmissionRule<SiteKnown> = (request, known) => {
  const wanted = textAt(request.object, ...PATH);
  if (wanted === '' || !hasChanged(request, ...PATH)) return {};
  const name = routeName(wanted, known.config.zone);
  if (name === null) return { problems: [unqualified(wanted, known.config.zone)] };
  return {
    problems: [
      ...inside(name, known),
      ...refused([name, canonicalHostname(wanted)], known),
      ...heldByAnother(name, request, known),
    ],
  };
};

function unqualified(wanted: string, zone: string | null): Problem {
  const allowed =
    zone === null ? 'such as app.example.com' : `such as app.${zone.replace(/\.$/, '')}, or app alone`;
  const message = `"${wanted}" is not a fully qualified domain name: use lower-case letters, digits and "-" between dots, ${allowed}`;
  return problem('FieldValueInvalid', message, zone !== null);
}

function refused(names: readonly string[], { config }: SiteKnown): Problem[] {
  const fault = config.hostnameFault(names);
  return fault === null ? [] : [problem('FieldValueInvalid', fault, true)];
}
