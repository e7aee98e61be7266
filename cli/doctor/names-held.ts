// Capps that wait for a name that somebody else has: a hostname on the hub, or the name of an object on their
// site. Pure.
import { conditionIn } from '../explain/capp/phase.ts';
import type { DoctorFacts, Fault } from './facts.ts';
import { lacks, shown } from './site-needs.ts';

export function takenNames(facts: DoctorFacts): Fault[] {
  return [...takenHostnames(facts), ...takenObjects(facts)];
}

/** In the hub's words (`takenMessage`). */
const HOLDER = /belongs to (Capp [a-z0-9-]{1,63}\/[a-z0-9-]{1,63})/;

function takenHostnames({ capps }: DoctorFacts): Fault[] {
  const waiting = new Map<string, { readonly capps: string[]; readonly holder: string }>();
  for (const capp of capps ?? []) {
    const { reason, message = '' } = conditionIn(capp, 'Applied') ?? {};
    if (reason !== 'HostnameTaken') continue;
    const hostname = capp.spec.routeSpec?.hostname ?? '';
    const holder = HOLDER.exec(message)?.[1] ?? 'another Capp';
    const key = `${hostname} ${holder}`;
    const known = waiting.get(key) ?? { capps: [], holder };
    known.capps.push(`${capp.metadata.namespace}/${capp.metadata.name}`);
    waiting.set(key, known);
  }
  return [...waiting].map(([key, { capps: names, holder }]) => ({
    about: `hostname ${key.slice(0, key.indexOf(' '))}`,
    problem: `It belongs to ${holder}, so what is asked for with it by ${shown(names)} is sent to no site.`,
    remedy: 'Use another spec.routeSpec.hostname in one of them, or delete the one that is not needed.',
  }));
}

function takenObjects(facts: DoctorFacts): Fault[] {
  return lacks(facts, 'NameTaken', /^$/g).map(({ site, capps: [first = '', ...others] }) => ({
    about: `site ${site}`,
    problem: `Something that is not theirs has there the name that ${shown([first, ...others])} needs.`,
    remedy: `"kubectl capp why ${first.slice(first.indexOf('/') + 1)} -n ${first.slice(0, first.indexOf('/'))}" says what: remove it there, or make the Capp under another name.`,
  }));
}
