/** What the editor begins with, before anyone has saved a document. */
export const STARTER = `# Rules of this team. The built-in policy always applies; the strictest rule wins.
name: First version
rules: []
`;
