// Whether a site's CappConfig allows a hostname.
import type { SiteConfig } from '../config/capp-config.ts';
import { matches } from '../config/pattern.ts';
import { SiteFault } from '../objects/fault.ts';

type Rules = Pick<SiteConfig, 'hostnames' | 'refusedHostnames'>;

/** How many rules a message repeats. */
const SAID = 5;

/**
 * Null if it does; else what the Capp's user should read. Takes the spellings of one hostname, the first for
 * messages. The allowing patterns must match one of them as a whole, as no unanchored pattern protects a
 * domain: `.*\.example\.com` is part of `x.example.com.evil.org`.
 */
export function hostnameFault(names: readonly string[], rules: Rules): SiteFault | null {
  const [name = ''] = names;
  const refused = rules.refusedHostnames.find((text) => names.some((one) => matches(text, one, 'any')));
  if (refused !== undefined) {
    const why = `it matches ${refused} (invalidHostnamePatterns)`;
    return refusal(`The site's CappConfig refuses ${name}: ${why}. Choose another hostname.`);
  }
  const { hostnames } = rules;
  if (hostnames === null) return null;
  if (hostnames.some(({ match }) => names.some((one) => matches(match, one, 'whole')))) return null;
  const said = hostnames.map(({ match, explanation }) => (explanation === '' ? match : explanation));
  const allowed =
    said.length === 0 ? 'It allows no hostname at all' : `It allows ${said.slice(0, SAID).join('; ')}`;
  return refusal(`The site's CappConfig does not allow ${name}. ${allowed}. Choose another hostname.`);
}

function refusal(message: string): SiteFault {
  return new SiteFault('HostnameRefused', message);
}
