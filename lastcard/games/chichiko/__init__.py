"""Chi-Chi-Ko."""
