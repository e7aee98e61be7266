// What the reader answers where it does not do what is asked, as the API server's own Status.

/** Its message is for people and quotes nothing that a site has said. */
export class Refused extends Error {
  readonly code: 400 | 401 | 403 | 404 | 405 | 429 | 503;

  constructor(code: Refused['code'], message: string) {
    super(message);
    this.name = 'Refused';
    this.code = code;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#error-responses */
export function statusOf(code: number, message: string): object {
  const reason = REASONS[code] ?? 'Unknown';
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}
