import { z } from 'zod';

// Zod would compile its checks with `new Function`, which the content security policy forbids.
// Imported before any schema is made.
z.config({ jitless: true });
