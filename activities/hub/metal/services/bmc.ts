// How a host's BMC is reached: by the address that Metal³ has of it, and its credentials. Pure.
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';

export interface Bmc {
  /** `host[:port]`, as SIP gives it to its scripts. */
  readonly authority: string;
  /** The URL of the system in Redfish; null for a BMC that speaks something else. */
  readonly system: string | null;
  readonly isInsecure: boolean;
  readonly username: string;
  readonly password: string;
}

export class BmcFault extends Error {
  /** Of the BareMetalHost. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

const LONGEST = 256;
/** Drivers of Metal³ that speak Redfish; what follows a + is the transport. */
const REDFISH = /^(redfish|ilo\d?|idrac|https?)(-[a-z]+)?(\+https?)?:$/;

type BmcSpec = NonNullable<NonNullable<BareMetalHost['spec']>['bmc']>;

/** Throws BmcFault, whose words quote neither the address nor the credentials. */
export function bmcOf(
  { address = '', disableCertificateVerification = false }: BmcSpec,
  { data = {} }: Pick<Secret, 'data'>,
): Bmc {
  return {
    ...placeOf(address),
    isInsecure: disableCertificateVerification,
    username: credential(data, 'username', /^[^\p{Cc}:]*$/u),
    password: credential(data, 'password', /^[^\p{Cc}]*$/u),
  };
}

function placeOf(address: string): Pick<Bmc, 'authority' | 'system'> {
  const url = URL.canParse(address) ? new URL(address) : null;
  // It ends up in scripts and configurations.
  if (url === null || !/^[A-Za-z0-9.:[\]-]+$/.test(url.host))
    throw new BmcFault(
      'spec.bmc.address',
      'must be a URL with a host, such as redfish+https://192.0.2.7/redfish/v1/Systems/1',
    );
  const path = url.pathname.replace(/\/+$/, '');
  const speaksRedfish = REDFISH.test(url.protocol) && /^\/redfish(\/[A-Za-z0-9._~-]+)+$/.test(path);
  const transport = /(\+|^)http:$/.test(url.protocol) ? 'http' : 'https';
  return { authority: url.host, system: speaksRedfish ? `${transport}://${url.host}${path}` : null };
}

function credential(data: Readonly<Record<string, string>>, key: string, allowed: RegExp): string {
  const encoded = data[key];
  if (encoded === undefined) throw new BmcFault('spec.bmc.credentialsName', `its Secret has no key ${key}`);
  const value = Buffer.from(encoded, 'base64').toString('utf8');
  if (value.length > LONGEST || !allowed.test(value))
    throw new BmcFault(
      'spec.bmc.credentialsName',
      `${key} in its Secret must have at most ${LONGEST} characters that can be printed, and a username no colon`,
    );
  return value;
}
