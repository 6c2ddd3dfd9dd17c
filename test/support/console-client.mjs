// A person at the console, without a browser: cookie session and CSRF token over plain HTTP.

export class ConsoleClient {
  #url;
  #cookie = '';
  #csrf = '';

  constructor(url) {
    this.#url = url;
  }

  /** For streams, which are opened without this client. */
  get cookie() {
    return this.#cookie;
  }

  /** Becomes the first owner through the one-use link. */
  async welcome(link, { name = 'owner', password = 'correct horse battery' } = {}) {
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
    await this.#signIn('/api/auth/welcome', { token, name, password });
  }

  async login(name, password) {
    await this.#signIn('/api/auth/login', { name, password });
  }

  async #signIn(path, body) {
    const response = await fetch(this.#url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    const state = await this.get('/api/auth/state');
    this.#csrf = state.csrfToken;
  }

  get(path) {
    return this.#call('GET', path);
  }

  post(path, body = {}) {
    return this.#call('POST', path, body);
  }

  patch(path, body) {
    return this.#call('PATCH', path, body);
  }

  delete(path) {
    return this.#call('DELETE', path);
  }

  /** The raw answer, for tests that look at status and headers. */
  request(method, path, body, headers = {}) {
    return fetch(this.#url + path, {
      method,
      headers: {
        cookie: this.#cookie,
        'x-csrf-token': this.#csrf,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  async #call(method, path, body) {
    const response = await this.request(method, path, body);
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    if (!response.ok)
      throw Object.assign(new Error(`${method} ${path} answered ${response.status}: ${text}`), { status: response.status, body: parsed });
    return parsed;
  }
}
