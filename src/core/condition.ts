/** Health of a volume as CSI's VolumeCondition reports it. The message says what to do when `abnormal`. */
export interface VolumeCondition {
  readonly abnormal: boolean;
  readonly message: string;
}

export const HEALTHY: VolumeCondition = { abnormal: false, message: 'the volume is healthy' };
