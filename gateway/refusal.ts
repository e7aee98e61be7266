// What the gateway answers instead of a result. The text goes to the site: it names no object of anybody
// else.
import { status } from '@grpc/grpc-js';
import { ApiError } from '../kube/failure.ts';

export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
  readonly code: status;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

/** The caller asks for what it may not do, or is nobody that the gateway knows. */
export function isForbidden({ code }: GatewayRefusal): boolean {
  return code === status.PERMISSION_DENIED || code === status.UNAUTHENTICATED;
}

/** Something that the gateway needs does not answer it, as `message` says. The agent tries again. */
export function away(message: string): GatewayRefusal {
  return new GatewayRefusal(status.UNAVAILABLE, message);
}

/** The hub's API server does not answer the gateway. */
export function hubAway(): GatewayRefusal {
  return away("The hub's API server does not answer the gateway. The agent tries again.");
}

/** The site may not make this call at all, or not for this object. */
export function denied(message: string): GatewayRefusal {
  return new GatewayRefusal(status.PERMISSION_DENIED, message);
}

/** The gateway does not know who calls. */
export function unknownCaller(message: string): GatewayRefusal {
  return new GatewayRefusal(status.UNAUTHENTICATED, message);
}

/** The call cannot be read. */
export function unreadable(message: string): GatewayRefusal {
  return new GatewayRefusal(status.INVALID_ARGUMENT, message);
}

/** The site has used up what it may do now. Its agent tries again. */
export function tooMuch(message: string): GatewayRefusal {
  return new GatewayRefusal(status.RESOURCE_EXHAUSTED, message);
}

/** Codes of Temporal that an agent is told as they are; every other one counts as Temporal being away. */
const TOLD: readonly status[] = [
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.NOT_FOUND,
  status.RESOURCE_EXHAUSTED,
];

/**
 * What a site is told of a failure of any kind. Words of Temporal stay here: they may name objects of other
 * sites.
 */
export function refusalOf(error: unknown): GatewayRefusal {
  if (error instanceof GatewayRefusal) return error;
  if (error instanceof ApiError) return ofHub(error);
  const code = codeOf(error);
  const known = TOLD.find((one) => one === code);
  return known === undefined
    ? new GatewayRefusal(
        status.UNAVAILABLE,
        'Temporal does not answer the gateway now. The agent tries again.',
      )
    : new GatewayRefusal(known, `Temporal answers the gateway with ${status[known]}.`);
}

/** Whoever debugs from the site looks in another place for the one than for the other. */
function ofHub({ code }: ApiError): GatewayRefusal {
  const isAway = code === 0 || code >= 500 || code === 429;
  return isAway
    ? hubAway()
    : away(
        `The hub's API server refuses the gateway with ${code}: the gateway's log says why. The agent tries again.`,
      );
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
