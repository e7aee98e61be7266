// Deleting a SIPCluster whose site serves Capps is refused where it asks for that: otherwise its deletion
// drains the site, and wipes the hosts.
import { textAt } from '../fields.ts';
import { listed, type AdmissionRule } from '../rule.ts';

export const sipCluster: AdmissionRule = ({ operation, name, namespace, oldObject }, known) => {
  if (operation !== 'DELETE' || textAt(oldObject, 'spec', 'site', 'onDelete') !== 'Refuse') return {};
  const site = textAt(oldObject, 'spec', 'site', 'name');
  const capps = site === '' ? [] : known.servedBy(site);
  if (capps.length === 0) return {};
  const many = capps.length === 1 ? 'a Capp' : `${capps.length} Capps`;
  const message = `Site ${site} of SIPCluster ${namespace}/${name} serves ${many}: ${listed(capps)}. Move or delete them first. If its deletion is to drain the site, set spec.site.onDelete to Drain`;
  return {
    problems: [{ field: 'spec.site.onDelete', reason: 'FieldValueForbidden', message, fromCache: true }],
  };
};
