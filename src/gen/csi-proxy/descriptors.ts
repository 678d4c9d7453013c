// Generated from proto/csi-proxy by `npm run generate`. Do not edit.
import { descriptor as disk_v1 } from './disk/v1.ts';
import { descriptor as disk_v1beta3 } from './disk/v1beta3.ts';
import { descriptor as disk_v1beta2 } from './disk/v1beta2.ts';
import { descriptor as disk_v1beta1 } from './disk/v1beta1.ts';
import { descriptor as disk_v1alpha1 } from './disk/v1alpha1.ts';
import { descriptor as volume_v2alpha1 } from './volume/v2alpha1.ts';
import { descriptor as volume_v1 } from './volume/v1.ts';
import { descriptor as volume_v1beta3 } from './volume/v1beta3.ts';
import { descriptor as volume_v1beta2 } from './volume/v1beta2.ts';
import { descriptor as volume_v1beta1 } from './volume/v1beta1.ts';
import { descriptor as volume_v1alpha1 } from './volume/v1alpha1.ts';
import { descriptor as filesystem_v2alpha1 } from './filesystem/v2alpha1.ts';
import { descriptor as filesystem_v1 } from './filesystem/v1.ts';
import { descriptor as filesystem_v1beta2 } from './filesystem/v1beta2.ts';
import { descriptor as filesystem_v1beta1 } from './filesystem/v1beta1.ts';
import { descriptor as filesystem_v1alpha1 } from './filesystem/v1alpha1.ts';
import { descriptor as smb_v1 } from './smb/v1.ts';
import { descriptor as smb_v1beta2 } from './smb/v1beta2.ts';
import { descriptor as smb_v1beta1 } from './smb/v1beta1.ts';
import { descriptor as smb_v1alpha1 } from './smb/v1alpha1.ts';
import { descriptor as iscsi_v1alpha2 } from './iscsi/v1alpha2.ts';
import { descriptor as iscsi_v1alpha1 } from './iscsi/v1alpha1.ts';
import { descriptor as system_v1alpha1 } from './system/v1alpha1.ts';

/** The descriptor of each pipe by its name. */
export const descriptors = {
  'csi-proxy-disk-v1': disk_v1,
  'csi-proxy-disk-v1beta3': disk_v1beta3,
  'csi-proxy-disk-v1beta2': disk_v1beta2,
  'csi-proxy-disk-v1beta1': disk_v1beta1,
  'csi-proxy-disk-v1alpha1': disk_v1alpha1,
  'csi-proxy-volume-v2alpha1': volume_v2alpha1,
  'csi-proxy-volume-v1': volume_v1,
  'csi-proxy-volume-v1beta3': volume_v1beta3,
  'csi-proxy-volume-v1beta2': volume_v1beta2,
  'csi-proxy-volume-v1beta1': volume_v1beta1,
  'csi-proxy-volume-v1alpha1': volume_v1alpha1,
  'csi-proxy-filesystem-v2alpha1': filesystem_v2alpha1,
  'csi-proxy-filesystem-v1': filesystem_v1,
  'csi-proxy-filesystem-v1beta2': filesystem_v1beta2,
  'csi-proxy-filesystem-v1beta1': filesystem_v1beta1,
  'csi-proxy-filesystem-v1alpha1': filesystem_v1alpha1,
  'csi-proxy-smb-v1': smb_v1,
  'csi-proxy-smb-v1beta2': smb_v1beta2,
  'csi-proxy-smb-v1beta1': smb_v1beta1,
  'csi-proxy-smb-v1alpha1': smb_v1alpha1,
  'csi-proxy-iscsi-v1alpha2': iscsi_v1alpha2,
  'csi-proxy-iscsi-v1alpha1': iscsi_v1alpha1,
  'csi-proxy-system-v1alpha1': system_v1alpha1,
};
