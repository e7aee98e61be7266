// The name under which a Capp answers on its site: its hostname, in the site's zone. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import { isPrivate } from '../../crds/knative/visibility.ts';
import { routeName } from '../../crds/capp/route-name.ts';

/** Null for a Capp that asks for no hostname, or for none that could be had, and for a private one. */
export function routeNameOf(capp: Capp, zone: string | null): string | null {
  return isPrivate(capp) ? null : routeName(capp.spec.routeSpec?.hostname ?? '', zone);
}
