// Where the gateway's tools for agents are.
export const MCP_PATH = '/mcp';
