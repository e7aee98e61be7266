// Deleting a SIPCluster whose site serves Capps is refused where it asks for that: otherwise its deletion
// drains the site, and wipes the hosts. A site that is somebody else's is not drained, so it refuses nothing;
// nor does one that has not joined yet, for which the hub workers look themselves.
import { SITE_CAME } from '../../crds/metal/labels.ts';
import { textAt } from '../fields.ts';
import { listed, type AdmissionRule } from '../rule.ts';

export const sipCluster: AdmissionRule = ({ operation, name, namespace, oldObject }, known) => {
  if (operation !== 'DELETE' || textAt(oldObject, 'spec', 'site', 'onDelete') !== 'Refuse') return {};
  const uid = textAt(oldObject, 'metadata', 'uid');
  if (uid === '' || textAt(oldObject, 'metadata', 'annotations', SITE_CAME) !== uid) return {};
  const site = textAt(oldObject, 'spec', 'site', 'name');
  const capps = site === '' ? [] : known.servedBy(site);
  if (capps.length === 0) return {};
  const many = capps.length === 1 ? 'a Capp' : `${capps.length} Capps`;
  const message = `Site ${site} of SIPCluster ${namespace}/${name} serves ${many}: ${listed(capps)}. Move or delete them first. If its deletion is to drain the site, set spec.site.onDelete to Drain`;
  return {
    problems: [{ field: 'spec.site.onDelete', reason: 'FieldValueForbidden', message, fromCache: true }],
  };
};
