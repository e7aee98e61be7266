// The environment of the two processes of a site's data plane. Both run in its folder.
import { ADDRESS, COMMON, NAME, PATH } from '../../../workers/process/config.ts';

export const SETTINGS = {
  ...COMMON,
  SITE: NAME.describe('the name of the site'),
  HEALTH_ADDRESS: ADDRESS.describe('host:port on which GET /healthz answers'),
  API_ADDRESS: ADDRESS.describe('host:port of the API server, as KUBECONFIG names it'),
  WEBHOOK_ADDRESS: ADDRESS.describe('host:port where the API server finds the webhook of Knative'),
  INGRESS_ADDRESS: ADDRESS.describe('host:port on which the site answers requests to its apps'),
  PARTS_KUBECONFIG: PATH.describe('the path of the kubeconfig of the parts, inside the site'),
  LOGS: PATH.describe('the folder for the logs of the parts'),
} as const;

export function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}

/** `host:port` as options for node:net. */
export function endpoint(address: string): { host: string; port: number } {
  return { host: address.slice(0, address.lastIndexOf(':')), port: portOf(address) };
}
