/** Set by the bundler (`scripts/build.ts`); absent when the source runs as it is, in tests. */
declare const BUILD_VERSION: string | undefined;
declare const BUILD_COMMIT: string | undefined;

/** The release, as GetPluginInfo and `version` report it. */
export const version: string = typeof BUILD_VERSION === 'string' ? BUILD_VERSION : '0.0.0-development';
/** Commit the binary was built from. */
export const commit: string = typeof BUILD_COMMIT === 'string' ? BUILD_COMMIT : 'unknown';
