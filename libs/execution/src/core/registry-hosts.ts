import { hostRule, hostText } from './network-hosts.js';

const NPM = 'registry.npmjs.org';

/** Where package tools connect when nobody tells them otherwise. */
const REGISTRIES: readonly (readonly [tools: string, hosts: readonly string[]])[] = [
  ['npm npx pnpm pnpx bun bunx', [NPM]],
  ['yarn corepack', ['registry.yarnpkg.com', 'repo.yarnpkg.com', NPM]],
  ['pip pip3 uv uvx pipx poetry pdm pipenv hatch', ['pypi.org', 'files.pythonhosted.org']],
  ['cargo', ['index.crates.io', 'static.crates.io', 'crates.io']],
  ['rustup', ['static.rust-lang.org']],
  ['go', ['proxy.golang.org', 'sum.golang.org']],
  ['gem bundle bundler', ['rubygems.org', 'index.rubygems.org']],
  ['composer', ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com']],
  ['mvn mvnw gradle gradlew', ['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'services.gradle.org']],
  ['dotnet nuget', ['api.nuget.org']],
  ['deno', ['jsr.io', 'deno.land', NPM]],
  ['gh', ['api.github.com', 'github.com']],
  ['glab', ['gitlab.com']],
];
const BY_TOOL = new Map(REGISTRIES.flatMap(([tools, hosts]) => tools.split(' ').map((tool) => [tool, hosts] as const)));
const JS_TOOLS = new Set('npm npx pnpm pnpx bun bunx yarn corepack'.split(' '));

/**
 * Hosts of the registry that a package tool takes: what the workspace's `.npmrc` names, or the tool's own. Policy has read the same
 * settings, so a person who approves sees both.
 */
export function registryHosts(tool: string, packageSettings: readonly string[]): readonly string[] {
  const own = BY_TOOL.get(tool.slice(tool.lastIndexOf('/') + 1).replace(/^(pip|python)3?(\.\d+)?$/, 'pip')) ?? [];
  const named = JS_TOOLS.has(tool) ? packageSettings.flatMap(registriesIn) : [];
  return [...new Set([...named, ...own])];
}

function registriesIn(settings: string): readonly string[] {
  return [...settings.matchAll(/^\s*(?:@[^:=\s]+:)?registry\s*=\s*["']?([^\s"'#;]+)/gm)].flatMap(([, address = '']) => {
    if (!URL.canParse(address)) return [];
    const { protocol, hostname, port } = new URL(address);
    const rule = hostRule(`${hostname}:${port === '' ? (protocol === 'http:' ? '80' : '443') : port}`);
    return rule ? [hostText(rule)] : [];
  });
}
