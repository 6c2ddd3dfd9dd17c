/** What else this server declares. The product needs none of it; protocol tests switch it on. */
export abstract class McpFeatures {
  /** `notifications/message`; deprecated by the protocol. */
  abstract readonly logging: boolean;
  /** Lists of tools and prompts that change while the server runs. */
  abstract readonly changingLists: boolean;
}
