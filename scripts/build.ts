import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import protobuf from 'protobufjs';

/**
 * Bundles the driver into one CommonJS file, `dist/csi-driver-ntfs.cjs`. The same commit gives the same bytes: no
 * time, no absolute path and no machine name goes in.
 */
const BUNDLE = join('dist', 'csi-driver-ntfs.cjs');
const MODULES = join(process.cwd(), 'node_modules');

/** Packages that read a .proto file from their own folder when they run; a bundle has no such folder. */
const PROTO_OF: Readonly<Record<string, string>> = {
  'grpc-health-check/build/src/health.js': 'grpc-health-check/proto/health/v1/health.proto',
  '@grpc/reflection/build/src/implementations/reflection-v1.js':
    '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
  '@grpc/reflection/build/src/implementations/reflection-v1alpha.js':
    '@grpc/reflection/build/proto/grpc/reflection/v1alpha/reflection.proto',
};

/** Turns `loadSync(file, …)` in those packages into `fromJSON(definition, …)`. */
const inlineProtos: Plugin = {
  name: 'inline-protos',
  setup(bundler) {
    bundler.onLoad(
      { filter: /node_modules\/(grpc-health-check|@grpc\/reflection)\/build\/src\/.*\.js$/ },
      ({ path }) => ({
        contents: withInlinedProto(readFileSync(path, 'utf8'), relative(MODULES, path)),
        loader: 'js',
      }),
    );
  },
};

function withInlinedProto(source: string, module: string): string {
  const proto = PROTO_OF[module];
  if (proto === undefined && !source.includes('loadSync')) return source;
  const call = /loadSync(\)?)\((?:'[^']*'|\w+), /;
  if (proto === undefined || !call.test(source)) {
    throw new Error(`${module} loads .proto files in a way scripts/build.ts does not know: mend PROTO_OF`);
  }
  const definition = JSON.stringify(protobuf.loadSync(join(MODULES, proto)).toJSON());
  return source.replace(call, (_call, bracket: string) => `fromJSON${bracket}(${definition}, `);
}

/** Optional dependencies that are required in a try block and that we do not ship. */
const withoutOptional: Plugin = {
  name: 'without-optional',
  setup(bundler) {
    bundler.onResolve({ filter: /^(pino-pretty|encoding|bufferutil|utf-8-validate)$/ }, ({ path }) => ({
      path,
      namespace: 'absent',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'module.exports = undefined;',
    }));
  },
};

function gitCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** koffi's native module for this machine. It cannot be in the bundle, so it lies beside it. */
function koffiModule(): string {
  const { platform, arch } = process;
  const koffi = createRequire(join(MODULES, 'koffi', 'package.json'));
  const folder = dirname(koffi.resolve(`@koromix/koffi-${platform}-${arch}/package.json`));
  return join(folder, `${platform}_${arch}`, 'koffi.node');
}

async function main(): Promise<void> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await build({
    entryPoints: ['src/main.ts'],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    banner: { js: '#!/usr/bin/env node' },
    define: {
      BUILD_VERSION: JSON.stringify(manifest.version),
      BUILD_COMMIT: JSON.stringify(gitCommit()),
    },
    plugins: [inlineProtos, withoutOptional],
    legalComments: 'none',
    logLevel: 'warning',
  });
  await chmod(BUNDLE, 0o755);
  await copyFile(koffiModule(), join('dist', `koffi-${process.platform}-${process.arch}.node`));
}

void main();
