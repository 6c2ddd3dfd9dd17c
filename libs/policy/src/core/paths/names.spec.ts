import { isSecret, protection } from './names.js';

const list = (text: string): readonly string[] => text.split(/\s+/).filter((path) => path !== '');

describe('names of secrets', () => {
  it.each(
    list(`.env .ENV .env.local .env_prod prod.env env.production id_rsa id_ed25519 a.pem a.key a.p12 a.pfx a.jks a.kdbx .htpasswd .pgpass .netrc _netrc
      .git-credentials .npmrc .yarnrc.yml .pypirc .my.cnf .vault-token .token .bash_history .node_repl_history kubeconfig kubeconfig.yaml
      .aws/config .kube/config .docker/config.json .ssh/known_hosts .gnupg/x .azure/x .config/gh/hosts.yml .config/gcloud/x .m2/settings.xml
      .gradle/gradle.properties .cargo/credentials.toml .gem/credentials .composer/auth.json .terraform.d/credentials.tfrc.json terraform.tfvars
      prod.auto.tfvars.json terraform.tfstate.backup credentials.json config/credentials.yml.enc secrets.yml my-secrets.yaml aws-credentials.json
      service-account.json serviceAccountKey.json firebase-adminsdk-x.json gcp-key.json google-credentials.json client_secret_1.json
      passwords.txt token.txt wallet.dat krb5.keytab`),
  )('%s is one', (path) => {
    expect(isSecret(path.split('/'))).toBe(true);
  });

  it.each(
    list(`.env.example .env.sample id_rsa.pub credentials.md src/secrets.ts tokens.ts tokenizer.json .gitignore .eslintrc.json tsconfig.json key.ts
      src/keys.py package-lock.json Dockerfile Makefile cert.crt auth.ts environment.ts src/password.ts user-secrets.ts`),
  )('%s is none', (path) => {
    expect(isSecret(path.split('/'))).toBe(false);
  });
});

describe('files that others obey', () => {
  it.each(
    list(`.husky/x .HUSKY/x .github/workflows/ci.yml .Github/Workflows/x .gitlab-ci.yml .vscode/tasks.json .idea/x .devcontainer/x .devcontainer.json
      .gitpod.yml .envrc .tool-versions mise.toml .bashrc .nvim.lua .irbrc .psqlrc .npmrc .pnpmfile.mjs .pnp.cjs .yarn/releases/y.cjs .mvn/jvm.config
      .bazelrc .hg/hgrc .cargo/config.toml .config/autostart/x .local/share/applications/x lefthook-local.yml .mcp.json .claude/settings.json`),
  )('%s is one', (path) => {
    expect(protection(path.split('/'))).toBe('later');
  });

  it.each(['.git/x', '.GIT/x', '.git /x', '.git./x', 'GIT~1/x', '.git::$INDEX_ALLOCATION/x', 'a/.git'])(
    '%s is inside a repository',
    (path) => {
      expect(protection(path.split('/'))).toBe('git');
    },
  );

  it.each(['README.md', 'src/app.ts', 'github/workflows/x', '.gitignore', 'docs/.nojekyll'])('%s is none', (path) => {
    expect(protection(path.split('/'))).toBeNull();
  });
});
