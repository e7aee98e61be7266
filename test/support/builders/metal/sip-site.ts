// A site as a SIPCluster asks for it.
import type { SipSite } from '../../../../crds/metal/site.ts';

/** `secrets`: the one with the template of the user data, by role. */
export function siteAsked(name: string, secrets: Readonly<Record<string, string>>): SipSite {
  return {
    name,
    lifecycle: 'Provision',
    labels: { tier: 'edge' },
    image: { url: 'https://images.example/os.qcow2', format: 'qcow2' },
    userData: Object.fromEntries(Object.entries(secrets).map(([role, secret]) => [role, { secret }])),
  };
}
