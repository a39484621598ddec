<?php
/**
 * Writing of files.
 *
 * @package PicketBridge
 */

// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.

/**
 * Reads and replaces files of the site. A file is replaced by a rename, so that no request sees half of it, and only if it
 * still has the content that was read.
 */
final class Picket_Bridge_File {

	const BYTES_MAX  = 1048576;
	const UNFINISHED = '.picket-new';

	/**
	 * Returns the content of a file; null if there is none.
	 *
	 * @param string $path The path.
	 */
	public static function read( string $path ): ?string {
		clearstatcache( true, $path );
		$content = is_file( $path ) ? @file_get_contents( $path, false, null, 0, self::BYTES_MAX ) : false;
		return false === $content ? null : $content;
	}

	/**
	 * Returns why a file cannot be replaced or created, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function obstacle( string $path ): string {
		$name = self::shown( $path );
		clearstatcache( true, $path );
		if ( is_link( $path ) ) {
			return "$name is a link.";
		}
		if ( ! is_writable( dirname( $path ) ) ) {
			return 'The folder of ' . $name . ' cannot be written.';
		}
		if ( ! file_exists( $path ) ) {
			return '';
		}
		if ( ! is_readable( $path ) || ! is_writable( $path ) ) {
			return "$name cannot be written.";
		}
		if ( function_exists( 'posix_geteuid' ) && posix_geteuid() !== fileowner( $path ) ) {
			return "$name belongs to another user of the server.";
		}
		return filesize( $path ) > self::BYTES_MAX ? "$name is too large." : '';
	}

	/**
	 * Replaces a file, with the mode that it has. Returns what failed, or an empty text.
	 *
	 * @param string      $path   The path.
	 * @param string|null $before What was read; null for a file that did not exist.
	 * @param string      $after  The new content.
	 */
	public static function replace( string $path, ?string $before, string $after ): string {
		$name       = self::shown( $path );
		$unfinished = $path . self::UNFINISHED;
		$mode       = null === $before ? 0644 : fileperms( $path ) & 0777;
		$is_written = strlen( $after ) === @file_put_contents( $unfinished, $after ) && @chmod( $unfinished, $mode );
		if ( $is_written && self::read( $path ) !== $before ) {
			@unlink( $unfinished );
			return "$name was changed by somebody else at the same time.";
		}
		if ( $is_written && @rename( $unfinished, $path ) ) {
			self::forget_compiled( $path );
			return '';
		}
		@unlink( $unfinished );
		return "$name cannot be written.";
	}

	/**
	 * Deletes a file, and what a process that was killed while it wrote has left of it. Returns what failed, or an empty text.
	 *
	 * @param string $path The path.
	 */
	public static function delete( string $path ): string {
		@unlink( $path );
		clearstatcache( true, $path );
		if ( file_exists( $path ) ) {
			return self::shown( $path ) . ' cannot be deleted. Delete it by hand.';
		}
		self::forget_compiled( $path );
		return '';
	}

	/**
	 * Deletes what a process that was killed while it wrote has left.
	 *
	 * @param string $path Of the file that it wrote.
	 */
	public static function sweep( string $path ): void {
		if ( is_file( $path . self::UNFINISHED ) ) {
			@unlink( $path . self::UNFINISHED );
		}
	}

	/**
	 * PHP may go on using what it has compiled of the file for some seconds.
	 *
	 * @param string $path The path.
	 */
	private static function forget_compiled( string $path ): void {
		if ( '.php' === substr( $path, -4 ) && function_exists( 'opcache_invalidate' ) ) {
			// A host may forbid it, with a warning.
			@opcache_invalidate( $path, true );
		}
	}

	/**
	 * Returns a path as it is shown: without the folder of the site.
	 *
	 * @param string $path The path.
	 */
	public static function shown( string $path ): string {
		foreach ( array( dirname( WP_CONTENT_DIR ), untrailingslashit( ABSPATH ) ) as $root ) {
			if ( 0 === strpos( $path, $root . '/' ) ) {
				return substr( $path, strlen( $root ) + 1 );
			}
		}
		return basename( $path );
	}
}
