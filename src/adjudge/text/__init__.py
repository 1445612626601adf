"""From text to terms: tokenizers and filters, put together as an analyzer."""
