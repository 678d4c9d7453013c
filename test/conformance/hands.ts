/**
 * What is done to the machine behind the server's back: by a hypervisor, by its administrator, by another machine. And
 * what is seen there without asking the server. A hand that is not there leaves the sequences that need it not run.
 */
export interface Hands {
  /** Why a hand is missing, for the row of a sequence that needs it. */
  readonly lacks: Readonly<Partial<Record<HandName, string>>>;
  readonly files: FileHands;
  readonly disks?: DiskHands;
  readonly shares?: ShareHands;
  readonly services?: ServiceHands;
  readonly targets?: TargetHands;
  /** The volume id of drive C:. */
  readonly systemVolume?: () => Promise<string>;
  /** The serial number of the machine's BIOS. */
  readonly biosSerialNumber?: () => Promise<string>;
  close(): Promise<void>;
}

export type HandName = 'disks' | 'shares' | 'services' | 'targets' | 'systemVolume' | 'biosSerialNumber';

/** The file system of the machine. Paths are `C:\…`, as the server takes them. */
export interface FileHands {
  exists(path: string): Promise<boolean>;
  mkdir(path: string): Promise<void>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** A link to a folder. */
  link(source: string, target: string): Promise<void>;
  /** Removes a file or a folder with all that is in it; through no link. */
  remove(path: string): Promise<void>;
}

export interface DiskHands {
  /** Plugs in a new virtual disk: raw, or with a GPT and one basic-data partition, not formatted, online. */
  make(sizeBytes: bigint, prepared: 'raw' | 'partitioned'): Promise<HandDisk>;
}

export interface HandDisk {
  /** Windows' disk number. */
  readonly number: number;
  /** What it says of itself, where the hand knows. */
  readonly ids?: { readonly page83: string; readonly serialNumber: string };
  resize(sizeBytes: bigint): Promise<void>;
  setOnline(online: boolean): Promise<void>;
  isOnline(): Promise<boolean>;
  /** Unplugs it and removes what it is made of. */
  remove(): Promise<void>;
}

export interface ShareHands {
  make(): Promise<HandShare>;
}

/** A share that a user may map. */
export interface HandShare {
  /** `\\host\share`. */
  readonly remotePath: string;
  readonly username: string;
  readonly password: string;
  /** Whether the host has a working global mapping of it. */
  isMapped(): Promise<boolean>;
  /** Through the host's mapping. */
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  remove(): Promise<void>;
}

export interface ServiceHands {
  state(name: string): Promise<HandService>;
  stop(name: string): Promise<void>;
}

/** In the words of the API: `SERVICE_STATUS_…` without its prefix. */
export interface HandService {
  readonly displayName: string;
  readonly startType: string;
  readonly status: string;
}

export interface TargetHands {
  /** A target with one raw disk of 1 GiB behind a portal of this machine. */
  make(chap: HandChap): Promise<HandTarget>;
}

export type HandChap =
  | { readonly type: 'none' }
  | { readonly type: 'one-way'; readonly username: string; readonly secret: string }
  | {
      readonly type: 'mutual';
      readonly username: string;
      readonly secret: string;
      /** With which the target proves itself to the initiator. */
      readonly initiatorSecret: string;
    };

export interface HandTarget {
  readonly address: string;
  readonly port: number;
  readonly iqn: string;
  /** Logs out, and removes target and disk. */
  remove(): Promise<void>;
}
